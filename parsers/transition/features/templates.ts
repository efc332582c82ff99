import type { ColumnName } from '../../../src/encoding/columns.ts';
import { UsageError } from '../../../src/errors.ts';
import type { TransitionSystem } from '../systems/system.ts';

/**
 * Templates of transition-based parsing. A template is a list of fields, a field a value of a node:
 * `s0.form b0.tag`. Nodes are `s0`, `s1`… from the top of the stack, `b0`, `b1`… from the front of the
 * buffer, and what they are connected with: `s0.left` (outermost child to the left), `s0.left2` (the next
 * one), `s0.right`, `s0.right2`, `s0.head`, and so on (`s0.head.head`).
 *
 * Values: `form`, `feats`, `tag` (all tag columns in use, as one), `label` (of the arc to the head),
 * `leftCount` and `rightCount` (of children), `leftLabels` and `rightLabels` (the set of theirs). The field
 * `distance` is how far the two in the system's focus (s0 and b0, or s1 and s0) are apart.
 */
const ends = (node: string) => [`${node}.form`, `${node}.tag`, `${node}.form ${node}.tag`];

/** Both ends of the next arc, in the combinations of Zhang & Nivre 2011. */
const pairs = (x: string, y: string) => [
  `${x}.form ${x}.tag ${y}.form ${y}.tag`,
  `${x}.form ${x}.tag ${y}.form`,
  `${x}.form ${y}.form ${y}.tag`,
  `${x}.form ${x}.tag ${y}.tag`,
  `${x}.tag ${y}.form ${y}.tag`,
  `${x}.form ${y}.form`,
  `${x}.tag ${y}.tag`,
];

const child = (node: string, side: string) =>
  ['form', 'tag', 'label'].map((value) => `${node}.${side}.${value}`);

const withBoth = (node: string, values: readonly string[]) =>
  values.flatMap((value) => [`${node}.form ${node}.${value}`, `${node}.tag ${node}.${value}`]);

/** Zhang & Nivre 2011 (P11-2033), tables 1 and 2: for arcs between s0 and b0. */
export const stackAndBufferTemplates: readonly string[] = [
  ...['s0', 'b0', 'b1', 'b2'].flatMap(ends),
  ...pairs('s0', 'b0'),
  'b0.tag b1.tag',
  'b0.tag b1.tag b2.tag',
  's0.tag b0.tag b1.tag',
  's0.head.tag s0.tag b0.tag',
  's0.tag s0.left.tag b0.tag',
  's0.tag s0.right.tag b0.tag',
  's0.tag b0.tag b0.left.tag',
  ...['s0.form', 's0.tag', 'b0.form', 'b0.tag', 's0.form b0.form', 's0.tag b0.tag'].map(
    (fields) => `${fields} distance`,
  ),
  ...withBoth('s0', ['leftCount', 'rightCount', 'leftLabels', 'rightLabels']),
  ...withBoth('b0', ['leftCount', 'leftLabels']),
  ...['s0.head.form', 's0.head.tag', 's0.label', 's0.head.head.form', 's0.head.head.tag', 's0.head.label'],
  ...child('s0', 'left'),
  ...child('s0', 'right'),
  ...child('b0', 'left'),
  ...child('s0', 'left2'),
  ...child('s0', 'right2'),
  ...child('b0', 'left2'),
  's0.tag s0.left.tag s0.left2.tag',
  's0.tag s0.right.tag s0.right2.tag',
  's0.tag s0.head.tag s0.head.head.tag',
  'b0.tag b0.left.tag b0.left2.tag',
];

/** The same for arcs between s1 and s0. */
export const stackTemplates: readonly string[] = [
  ...['s0', 's1', 'b0', 'b1'].flatMap(ends),
  ...['s2.tag', 's2.form', 'b2.tag'],
  ...pairs('s1', 's0'),
  ...['s0.form b0.form', 's0.tag b0.form', 's0.form b0.tag', 's0.tag b0.tag'],
  'b0.tag b1.tag',
  's0.tag b0.tag b1.tag',
  's1.tag s0.tag b0.tag',
  's2.tag s1.tag s0.tag',
  's1.tag s0.form b0.tag',
  's1.form s0.tag b0.tag',
  's1.tag s0.tag b0.form',
  ...['s1', 's0'].flatMap((node) =>
    ['left', 'right', 'left2', 'right2'].map((side) => `s1.tag s0.tag ${node}.${side}.tag`),
  ),
  's1.tag s1.right.tag s0.form',
  's1.tag s1.left.tag s0.form',
  's1.form s0.tag s0.left.tag',
  ...['s1.form', 's1.tag', 's0.form', 's0.tag', 's1.form s0.form', 's1.tag s0.tag'].map(
    (fields) => `${fields} distance`,
  ),
  ...withBoth('s0', ['leftCount', 'rightCount', 'leftLabels', 'rightLabels']),
  ...withBoth('s1', ['leftCount', 'rightCount', 'leftLabels', 'rightLabels']),
  ...['s0', 's1'].flatMap((node) =>
    ['left', 'right', 'left2', 'right2'].flatMap((side) => child(node, side)),
  ),
  ...['s0', 's1'].flatMap((node) => [
    `${node}.tag ${node}.left.tag ${node}.left2.tag`,
    `${node}.tag ${node}.right.tag ${node}.right2.tag`,
  ]),
];

/** What morphological features add, of the two ends of the next arc. */
const morphology = (x: string, y: string) => [
  `${x}.feats`,
  `${y}.feats`,
  `${x}.feats ${y}.feats`,
  `${x}.tag ${y}.feats`,
  `${x}.feats ${y}.tag`,
  `${x}.form ${y}.feats`,
  `${x}.feats ${y}.form`,
];

/** The templates of a system. `feats`: the treebank has morphological features. */
export function templatesOf(
  { templates, focus }: Pick<TransitionSystem, 'templates' | 'focus'>,
  feats: boolean,
): readonly string[] {
  return feats ? [...templates, ...morphology(...focus.names)] : templates;
}

/** Ways from a node to another. */
export const moves = ['left', 'left2', 'right', 'right2', 'head'] as const;
export type Move = (typeof moves)[number];

/** Values that come from a column of the sentence, and those that come from the configuration. */
export const columnValues = ['form', 'feats', 'tag'] as const;
export const stateValues = ['label', 'leftCount', 'rightCount', 'leftLabels', 'rightLabels'] as const;
export type NodeValue = (typeof columnValues)[number] | (typeof stateValues)[number];

/** A node: on the stack or in the buffer, or one move away from another node of the list. */
export type NodePath =
  | { readonly where: 'stack' | 'buffer'; readonly depth: number }
  | { readonly from: number; readonly move: Move };

/** Templates taken apart: nodes, values of nodes, and for each template the values that it is made of. */
export interface CompiledTemplates {
  readonly nodes: readonly NodePath[];
  readonly values: readonly { readonly node: number; readonly value: NodeValue }[];
  /** Numbers of values; −1 stands for the distance. */
  readonly templates: readonly (readonly number[])[];
}

const START = /^([sb])(\d)$/;

/** Takes templates apart; throws `UsageError` for what the notation does not know. */
export function compileTemplates(templates: readonly string[]): CompiledTemplates {
  const nodes = new Map<string, NodePath>();
  const values = new Map<string, { node: number; value: NodeValue }>();
  const numberOf = <T>(map: Map<string, T>, name: string, make: () => T) => {
    if (!map.has(name)) map.set(name, make());
    return [...map.keys()].indexOf(name);
  };
  const nodeNumber = (path: string): number => {
    const dot = path.lastIndexOf('.');
    if (dot !== -1) {
      const move = path.slice(dot + 1) as Move;
      if (!moves.includes(move)) throw new UsageError(`template: “${path}” is not a node`);
      const from = nodeNumber(path.slice(0, dot));
      return numberOf(nodes, path, () => ({ from, move }));
    }
    const match = START.exec(path);
    if (match === null) throw new UsageError(`template: “${path}” is not a node`);
    const where = match[1] === 's' ? ('stack' as const) : ('buffer' as const);
    return numberOf(nodes, path, () => ({ where, depth: Number(match[2]) }));
  };
  const fieldNumber = (field: string): number => {
    if (field === 'distance') return -1;
    const dot = field.lastIndexOf('.');
    const value = field.slice(dot + 1) as NodeValue;
    if (dot === -1 || ![...columnValues, ...stateValues].includes(value)) {
      throw new UsageError(`template: “${field}” is not a field`);
    }
    const node = nodeNumber(field.slice(0, dot));
    return numberOf(values, field, () => ({ node, value }));
  };
  const compiled = [...new Set(templates)].map((template) => template.split(' ').map(fieldNumber));
  return { nodes: [...nodes.values()], values: [...values.values()], templates: compiled };
}

/** The columns of sentences that compiled templates read; `tags` are the tag columns in use. */
export function columnsRead({ values }: CompiledTemplates, tags: readonly ('upos' | 'xpos')[]): ColumnName[] {
  const read = values.flatMap(({ value }): readonly ColumnName[] => {
    if (value === 'tag') return tags;
    return value === 'form' || value === 'feats' ? [value] : [];
  });
  return [...new Set(read)];
}
