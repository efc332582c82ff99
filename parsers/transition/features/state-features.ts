import { type EncodedSentence, valueAt } from '../../../src/encoding/columns.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import type { NodePair } from '../systems/node-pair.ts';
import type { StackConfiguration } from '../systems/stack-configuration.ts';
import { type CompiledTemplates, columnValues, moves, stateValues } from './templates.ts';

/** The value of what is not there: no node, no arc yet. */
const ABSENT = -1;

/** Numbers of operations on nodes: 0 stack, 1 buffer, then the moves. */
const STACK = 0;
const BUFFER = 1;
const FIRST_MOVE = 2;

/** Numbers of the values of nodes: 0 and up columns, then what the configuration knows. */
const valueNames: readonly string[] = [...columnValues, ...stateValues];
const FIRST_STATE_VALUE = columnValues.length;

/**
 * The features of a configuration: one hash a template. Everything that names or structure could tell is
 * settled when templates are compiled; what runs for each configuration are loops over whole numbers.
 */
export class StateFeatures {
  /** How many templates there are. */
  readonly count: number;
  /** The features last extracted: hashes of 32 bits. */
  readonly hashes: Int32Array;
  private readonly nodeOperations: Int32Array;
  private readonly nodeArguments: Int32Array;
  private readonly nodes: Int32Array;
  private readonly valueNodes: Int32Array;
  private readonly valueKinds: Int32Array;
  /** The values, and at the end the distance. */
  private readonly values: Int32Array;
  /** The fields of all templates in a row: template t has fields[ends[t − 1]…ends[t] − 1]. */
  private readonly fields: Int32Array;
  private readonly ends: Int32Array;
  private readonly columns: Int32Array[] = columnValues.map(() => new Int32Array(0));
  private readonly columnNumbers: readonly (readonly number[])[];

  /**
   * `columnNumbers`: for each of `columnValues` the columns of encoded sentences that it is made of.
   * `focus`: the pair of nodes over which the distance is taken.
   */
  constructor(
    { nodes, values, templates }: CompiledTemplates,
    columnNumbers: readonly (readonly number[])[],
    private readonly focus: NodePair,
  ) {
    this.columnNumbers = columnNumbers;
    this.nodes = new Int32Array(nodes.length);
    this.nodeOperations = Int32Array.from(nodes, (node) =>
      'move' in node ? FIRST_MOVE + moves.indexOf(node.move) : node.where === 'stack' ? STACK : BUFFER,
    );
    this.nodeArguments = Int32Array.from(nodes, (node) => ('move' in node ? node.from : node.depth));
    this.valueNodes = Int32Array.from(values, ({ node }) => node);
    this.valueKinds = Int32Array.from(values, ({ value }) => valueNames.indexOf(value));
    this.values = new Int32Array(values.length + 1);
    this.fields = Int32Array.from(templates.flat(), (field) => (field === -1 ? values.length : field));
    let end = 0;
    this.ends = Int32Array.from(templates, (fields) => (end += fields.length));
    this.count = templates.length;
    this.hashes = new Int32Array(this.count);
  }

  /** Makes a sentence the one whose configurations are looked at. */
  prepare(sentence: EncodedSentence): void {
    const { length } = sentence;
    this.columnNumbers.forEach((numbers, v) => {
      if (this.columns[v].length <= length) this.columns[v] = new Int32Array(2 * length + 1);
      const column = this.columns[v];
      for (let i = 0; i <= length; i++) {
        let value = 0;
        for (const c of numbers) value = (value << 12) ^ valueAt(sentence, c, i);
        column[i] = value;
      }
    });
  }

  /** Fills `hashes`. */
  extract(configuration: StackConfiguration): void {
    this.findNodes(configuration);
    this.findValues(configuration);
    const { values, fields, ends, hashes } = this;
    let field = 0;
    for (let t = 0; t < ends.length; t++) {
      let hash = t + 1;
      for (const end = ends[t]; field < end; field++) hash = mix(hash, values[fields[field]]);
      hashes[t] = finish(hash);
    }
  }

  private findNodes(configuration: StackConfiguration): void {
    const { nodes, nodeOperations, nodeArguments } = this;
    for (let k = 0; k < nodes.length; k++) {
      const argument = nodeArguments[k];
      const operation = nodeOperations[k];
      if (operation === STACK) nodes[k] = configuration.stack(argument);
      else if (operation === BUFFER) nodes[k] = configuration.buffer(argument);
      else nodes[k] = nodes[argument] === -1 ? -1 : move(configuration, nodes[argument], operation);
    }
  }

  private findValues(configuration: StackConfiguration): void {
    const { values, valueNodes, valueKinds, nodes, columns } = this;
    for (let v = 0; v < valueKinds.length; v++) {
      const node = nodes[valueNodes[v]];
      const kind = valueKinds[v];
      if (node === -1) values[v] = ABSENT;
      else if (kind < FIRST_STATE_VALUE) values[v] = columns[kind][node];
      else values[v] = stateValue(configuration, node, kind);
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

function move(configuration: StackConfiguration, node: number, operation: number): number {
  switch (operation - FIRST_MOVE) {
    case 0:
      return configuration.firstLeft(node);
    case 1:
      return configuration.secondLeft(node);
    case 2:
      return configuration.firstRight(node);
    case 3:
      return configuration.secondRight(node);
    default:
      return configuration.head(node);
  }
}

function stateValue(configuration: StackConfiguration, node: number, kind: number): number {
  switch (kind - FIRST_STATE_VALUE) {
    case 0:
      return configuration.head(node) === -1 ? ABSENT : configuration.label(node);
    case 1:
      return configuration.leftCount(node);
    case 2:
      return configuration.rightCount(node);
    case 3:
      return configuration.leftLabels(node);
    default:
      return configuration.rightLabels(node);
  }
}
