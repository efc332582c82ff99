import type { EncodedColumn } from '../../../src/encoding/columns.ts';
import {
  canonical,
  columnsOfValue,
  isColumnValue,
  Notation,
  type TemplateField,
  turnsOf,
} from '../../../src/encoding/templates/notation.ts';
import type { TemplateSections } from '../../../src/encoding/templates/template-file.ts';
import { numberIn } from '../../../src/number-in.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';

export const moves = ['L', 'L2', 'R', 'R2', 'H'] as const;
export type Move = (typeof moves)[number];

/** Values of the configuration, not of a column of the sentence. */
const stateValues = ['r', 'vl', 'vr', 'rl', 'rr'] as const;
export type StateValue = (typeof stateValues)[number];

/** The notation of templates, such as `s0f b0p+1 s0L2r`: fields of nodes on the stack, in the buffer, and related to them in the tree. */
export const stateNotation = new Notation({
  nodes: { s: 'top of the stack; s1, s2… below it', b: 'front of the buffer; b1, b2… behind it' },
  numbered: true,
  moves: {
    L: 'its leftmost child',
    L2: 'its second child from the left',
    R: 'its rightmost child',
    R2: 'its second child from the right',
    H: 'its head',
  } satisfies Record<Move, string>,
  columns: ['f', 'l', 'm', 'p', 'x', 'px', 't'],
  values: {
    r: 'label of the arc to its head',
    vl: 'number of its children to the left',
    vr: 'number of its children to the right',
    rl: 'labels of its children to the left',
    rr: 'labels of its children to the right',
  } satisfies Record<StateValue, string>,
  words: { distance: 'distance of the two ends of the next arc: 1, 2, 3, 4, 5 to 9, more' },
});

export type TransitionSection = 'transitions';
export const transitionSections: TemplateSections<TransitionSection> = {
  transitions: { legend: stateNotation.legend(), check: (template) => stateNotation.read(template) },
};

/** How a node is found: at a depth of the stack or the buffer, or by a move from another node. */
type NodePath =
  | { readonly where: 'stack' | 'buffer'; readonly depth: number }
  | { readonly from: number; readonly move: Move };

/** A value of a node: a column (by its place in the list) at an offset, or a value of the tree so far. */
type NodeValue =
  | { readonly node: number; readonly column: number; readonly offset: number }
  | { readonly node: number; readonly state: StateValue };

/** Templates as lists of numbered values, so that every node and value is computed once. */
export interface CompiledTemplates {
  readonly nodes: readonly NodePath[];
  /** Combinations of columns that are read as one value. */
  readonly columns: readonly (readonly EncodedColumn[])[];
  readonly values: readonly NodeValue[];
  /** By template: numbers of its values; −1: the distance. */
  readonly templates: readonly (readonly number[])[];
}

/** A template, and the column of tags that `t` denotes in it. */
interface ReadTemplate {
  readonly name: string;
  readonly fields: readonly TemplateField[];
  readonly turn: TagColumn;
}

/** Reads templates, once for each column of tags; drops templates of missing columns. Throws `UsageError` for invalid notation. */
export function readTemplates(templates: readonly string[], tags: readonly TagColumn[]): ReadTemplate[] {
  const read = [...new Set(templates.map(canonical))].flatMap((name) => {
    const fields = stateNotation.read(name);
    return turnsOf(fields, tags).map((turn) => ({ name, fields, turn }));
  });
  return read.filter(({ fields, turn }) =>
    fields.every(({ value }) => !isColumnValue(value) || columnsOfValue(value, tags, turn).length > 0),
  );
}

/** Compiles templates, in the order of `readTemplates`. */
export function compileTemplates(
  templates: readonly string[],
  tags: readonly TagColumn[],
): CompiledTemplates {
  const nodes = new Numbered<NodePath>();
  const columns = new Numbered<readonly EncodedColumn[]>();
  const values = new Numbered<NodeValue>();
  const numbers = readTemplates(templates, tags).map(({ fields, turn }) =>
    fields.map((field) => numberOfField(field, turn)),
  );
  return { nodes: nodes.all, columns: columns.all, values: values.all, templates: numbers };

  function numberOfField(
    { node: start, moves: path, value, offset }: TemplateField,
    turn: TagColumn,
  ): number {
    if (start === '') return -1;
    const node = numberOfNode(start, path as readonly Move[]);
    if (!isColumnValue(value))
      return values.numberOf(`${node} ${value}`, { node, state: value as StateValue });
    const read = columnsOfValue(value, tags, turn);
    const column = columns.numberOf(read.join(' '), read);
    return values.numberOf(`${node} ${column} ${offset}`, { node, column, offset });
  }

  function numberOfNode(start: string, path: readonly Move[]): number {
    const name = start + path.join('');
    if (path.length === 0) {
      const where = start[0] === 's' ? 'stack' : 'buffer';
      return nodes.numberOf(name, { where, depth: Number(start[1]) });
    }
    const from = numberOfNode(start, path.slice(0, -1));
    return nodes.numberOf(name, { from, move: path[path.length - 1] });
  }
}

/** Drops templates that read the same columns as an earlier one, as `p` and `px` do with one column of tags. */
export function withoutRepeats(templates: readonly string[], tags: readonly TagColumn[]): string[] {
  const seen = new Set<string>();
  return templates.filter((template) => {
    const fields = stateNotation.read(template);
    const read = turnsOf(fields, tags).map((turn) => {
      const nameOf = (value: string) =>
        isColumnValue(value) ? columnsOfValue(value, tags, turn).join('+') : value;
      const named = fields.map(
        ({ node, moves, value, offset }) => `${node}${moves.join('')}.${nameOf(value)}${offset}`,
      );
      return named.join(' ');
    });
    const isNew = read.some((one) => !seen.has(one));
    for (const one of read) seen.add(one);
    return isNew;
  });
}

/** The columns that templates read. */
export const columnsRead = ({ columns }: CompiledTemplates): EncodedColumn[] => [...new Set(columns.flat())];

/** Distinct things, numbered in the order in which they are first named. */
class Numbered<T> {
  readonly all: T[] = [];
  private readonly numbers = new Map<string, number>();

  numberOf(name: string, thing: T): number {
    const number = numberIn(this.numbers, name);
    this.all[number] ??= thing;
    return number;
  }
}
