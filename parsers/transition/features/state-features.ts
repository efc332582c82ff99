import type { EncodedColumn, EncodedSentence } from '../../../src/encoding/columns.ts';
import { neighbour, valueAt } from '../../../src/encoding/columns.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import { type StackConfiguration, tokenFacts } from '../systems/stack-configuration.ts';
import type { NodePair } from '../systems/system.ts';
import type { GuideFeatures } from './guide-features.ts';
import type { CompiledTemplates, Move, StateValue } from './templates.ts';

const ABSENT = -1;
/** Operations that find nodes: on the stack, in the buffer, or by a move: the node in a fact of another node. */
const STACK = 0;
const BUFFER = 1;
const FIRST_MOVE = 2;

/** The facts of a configuration that moves and values read. */
export const moveFacts: Readonly<Record<Move, (typeof tokenFacts)[number]>> = {
  L: 'firstLeft',
  L2: 'secondLeft',
  R: 'firstRight',
  R2: 'secondRight',
  H: 'head',
};
export const stateFacts: Readonly<Record<StateValue, (typeof tokenFacts)[number]>> = {
  r: 'label',
  vl: 'leftCount',
  vr: 'rightCount',
  rl: 'leftLabels',
  rr: 'rightLabels',
};

/** Extracts the features of a configuration, as hashes. */
export class StateFeatures {
  /** Number of features: one for each template, then the guides'. */
  readonly count: number;
  readonly hashes: Int32Array;
  private readonly nodeOperations: Int32Array;
  private readonly nodeArguments: Int32Array;
  private readonly nodes: Int32Array;
  private readonly valueNodes: Int32Array;
  /** By value: an index into `columns`, or columns.length + a fact of the configuration. */
  private readonly valueKinds: Int32Array;
  private readonly valueOffsets: Int32Array;
  private readonly values: Int32Array;
  /** The templates, longest first, and their hashes so far. */
  private readonly order: Int32Array;
  private readonly running: Int32Array;
  /** The first fields of all templates in that order, the second fields of those that have two, and so on. */
  private readonly fields: readonly Int32Array[];
  /** By combination of columns: its value at every position, padded by `margin` on both sides. */
  private readonly columns: Int32Array[];
  private readonly columnNumbers: readonly (readonly number[])[];
  /** Number of positions beyond either end of the sentence that templates read. */
  private readonly margin: number;

  constructor(
    { nodes, columns, values, templates }: CompiledTemplates,
    names: readonly EncodedColumn[],
    private readonly focus: NodePair,
    readonly guides?: GuideFeatures,
  ) {
    this.columnNumbers = columns.map((read) => read.map((name) => names.indexOf(name)));
    this.columns = columns.map(() => new Int32Array(0));
    this.nodes = new Int32Array(nodes.length);
    this.nodeOperations = Int32Array.from(nodes, (node) =>
      'move' in node
        ? FIRST_MOVE + tokenFacts.indexOf(moveFacts[node.move])
        : node.where === 'stack'
          ? STACK
          : BUFFER,
    );
    this.nodeArguments = Int32Array.from(nodes, (node) => ('move' in node ? node.from : node.depth));
    this.valueNodes = Int32Array.from(values, ({ node }) => node);
    this.valueKinds = Int32Array.from(values, (value) =>
      'state' in value ? columns.length + tokenFacts.indexOf(stateFacts[value.state]) : value.column,
    );
    const offsets = values.map((value) => ('state' in value ? 0 : value.offset));
    this.margin = offsets.reduce((most, offset) => Math.max(most, Math.abs(offset)), 0);
    this.valueOffsets = Int32Array.from(offsets, (offset) => this.margin + offset);
    this.values = new Int32Array(values.length + 1);
    const longestFirst = [...templates.entries()].sort(([, a], [, b]) => b.length - a.length);
    this.order = Int32Array.from(longestFirst, ([t]) => t);
    this.running = new Int32Array(templates.length);
    this.fields = Array.from({ length: longestFirst[0]?.[1].length ?? 0 }, (_, place) => {
      const fields = longestFirst
        .map(([, template]) => template[place])
        .filter((field) => field !== undefined);
      return Int32Array.from(fields, (field) => (field === -1 ? values.length : field));
    });
    this.count = templates.length + (guides?.count ?? 0);
    this.hashes = new Int32Array(this.count);
  }

  prepare(sentence: EncodedSentence): void {
    const { margin } = this;
    const { length } = sentence;
    const size = length + 1 + 2 * margin;
    this.columnNumbers.forEach((numbers, v) => {
      if (this.columns[v].length < size) this.columns[v] = new Int32Array(2 * size);
      const column = this.columns[v];
      for (let i = -margin; i <= length + margin; i++) {
        let value = 0;
        for (const c of numbers) value = (value << 12) ^ valueAt(sentence, c, neighbour(length, i, 0));
        column[margin + i] = value;
      }
    });
    this.guides?.prepare(sentence);
  }

  extract(configuration: StackConfiguration): void {
    this.findNodes(configuration);
    this.findValues(configuration);
    const { values, order, running, hashes } = this;
    const { length } = order;
    for (let k = 0; k < length; k++) running[k] = order[k] + 1;
    // Field by field: short loops over templates of different lengths would mispredict their ends.
    for (const fields of this.fields)
      for (let k = 0; k < fields.length; k++) running[k] = mix(running[k], values[fields[k]]);
    for (let k = 0; k < length; k++) hashes[order[k]] = finish(running[k]);
    this.guides?.extract(configuration, hashes, length);
  }

  private findNodes(configuration: StackConfiguration): void {
    const { nodes, nodeOperations, nodeArguments } = this;
    for (let k = 0; k < nodes.length; k++) {
      const argument = nodeArguments[k];
      const operation = nodeOperations[k];
      if (operation === STACK) nodes[k] = configuration.stack(argument);
      else if (operation === BUFFER) nodes[k] = configuration.buffer(argument);
      else
        nodes[k] = nodes[argument] === -1 ? -1 : configuration.fact(operation - FIRST_MOVE, nodes[argument]);
    }
  }

  private findValues(configuration: StackConfiguration): void {
    const { values, valueNodes, valueKinds, valueOffsets, nodes, columns } = this;
    const columnCount = columns.length;
    for (let v = 0; v < valueKinds.length; v++) {
      const node = nodes[valueNodes[v]];
      const kind = valueKinds[v];
      if (node === -1) values[v] = ABSENT;
      else if (kind < columnCount) values[v] = columns[kind][node + valueOffsets[v]];
      else values[v] = configuration.fact(kind - columnCount, node);
    }
    values[valueKinds.length] = arcDistance(this.focus, configuration);
  }
}

/**
 * Returns the distance between the ends of the next arc in buckets: 1, 2, 3, 4, 5–9, more; 0: no arc possible. It is
 * negative where words are swapped.
 */
export function arcDistance(focus: NodePair, configuration: StackConfiguration): number {
  const left = focus.left(configuration);
  const right = focus.right(configuration);
  if (left === -1 || right <= 0) return 0;
  const distance = right - left;
  return distance < 5 ? distance : distance < 10 ? 5 : 6;
}
