import {
  type EncodedColumn,
  type EncodedSentence,
  neighbour,
  valueAt,
} from '../../../src/encoding/columns.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import { type StackConfiguration, tokenFacts } from '../systems/stack-configuration.ts';
import type { NodePair } from '../systems/system.ts';
import type { GuideFeatures } from './guide-features.ts';
import type { CompiledTemplates, Move, StateValue } from './templates.ts';

/** The value of what is not there: no node, no arc yet. */
const ABSENT = -1;

/** Numbers of operations on nodes: 0 stack, 1 buffer, then moves, each to the node that a fact names. */
const STACK = 0;
const BUFFER = 1;
const FIRST_MOVE = 2;

/** What the configuration knows that moves and values stand for. */
export const moveFacts: Readonly<Record<Move, (typeof tokenFacts)[number]>> = {
  L: 'firstLeft',
  L2: 'secondLeft',
  R: 'firstRight',
  R2: 'secondRight',
  H: 'head',
};
const stateFacts: Readonly<Record<StateValue, (typeof tokenFacts)[number]>> = {
  r: 'label',
  vl: 'leftCount',
  vr: 'rightCount',
  rl: 'leftLabels',
  rr: 'rightLabels',
};

/**
 * The features of a configuration: one hash a template. Everything that names or structure could tell is
 * settled when templates are compiled; what runs for each configuration are loops over whole numbers.
 */
export class StateFeatures {
  /** How many features a configuration has: one a template, then those of guides. */
  readonly count: number;
  /** The features last extracted: hashes of 32 bits. */
  readonly hashes: Int32Array;
  private readonly nodeOperations: Int32Array;
  private readonly nodeArguments: Int32Array;
  private readonly nodes: Int32Array;
  private readonly valueNodes: Int32Array;
  /** What is read of the node: a column, by its place in `columns`; after those, what the configuration knows. */
  private readonly valueKinds: Int32Array;
  /** How far from the place of the node itself in a column the value stands. */
  private readonly valueOffsets: Int32Array;
  /** The values, and at the end the distance. */
  private readonly values: Int32Array;
  /** The templates, those with more fields first: their numbers, and their hashes while fields are added. */
  private readonly order: Int32Array;
  private readonly running: Int32Array;
  /** The first fields of all templates in that order, then the second ones of those that have two, and so on. */
  private readonly fields: readonly Int32Array[];
  /** For each value of columns its number at every position, those before the sentence first. */
  private readonly columns: Int32Array[];
  private readonly columnNumbers: readonly (readonly number[])[];
  /** How many positions before and after the sentence's tokens templates look at. */
  private readonly margin: number;

  /**
   * `names`: the columns of encoded sentences.
   * `focus`: the pair of nodes over which the distance is taken.
   * `guides`: what is looked at besides of other parsers' trees.
   */
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

  /** Makes a sentence the one whose configurations are looked at. */
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

  /** Fills `hashes`. */
  extract(configuration: StackConfiguration): void {
    this.findNodes(configuration);
    this.findValues(configuration);
    const { values, order, running, hashes } = this;
    const { length } = order;
    for (let k = 0; k < length; k++) running[k] = order[k] + 1;
    // Field after field: loops over templates of different lengths would cost more for their ends than for their work.
    for (const fields of this.fields) {
      for (let k = 0; k < fields.length; k++) running[k] = mix(running[k], values[fields[k]]);
    }
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
    values[valueKinds.length] = this.distance(configuration);
  }

  /** How many tokens the ends of the next arc are apart, from 5 to 9 and from 10 on taken as one. */
  private distance(configuration: StackConfiguration): number {
    const left = this.focus.left(configuration);
    const right = this.focus.right(configuration);
    if (left === -1 || right <= 0) return 0;
    const distance = right - left;
    return distance < 5 ? distance : distance < 10 ? 5 : 6;
  }
}
