import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { Numbering } from '../../../src/encoding/numbering.ts';
import { columnsOfValue, isColumnValue, turnsOf } from '../../../src/encoding/templates/column-values.ts';
import { canonical, type TemplateField } from '../../../src/encoding/templates/notation.ts';
import { ValueNames } from '../../../src/encoding/value-names.ts';
import type { FilledTemplate } from '../../../src/explain/decisions.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';
import { moveFacts } from '../features/state-features.ts';
import { type Move, type StateValue, stateNotation } from '../features/templates.ts';
import type { TransitionSettings } from '../settings.ts';
import type { NodePair } from '../systems/node-pair.ts';
import { type StackConfiguration, tokenFacts } from '../systems/stack-configuration.ts';

/** What stands where there is no node, or nothing is known of it yet. */
const NONE = '⟨none⟩';

/** A template for one of the tag columns that it stands for. */
interface Turned {
  readonly name: string;
  readonly fields: readonly TemplateField[];
  readonly turn: TagColumn;
}

/** Says in words what the features of configurations are that `StateFeatures` has hashes of. */
export class StateFeatureNames {
  private readonly templates: readonly Turned[];
  private readonly values: ValueNames;

  constructor(
    private readonly settings: TransitionSettings,
    private readonly numbering: Numbering,
    private readonly focus: NodePair,
  ) {
    const { tags } = settings;
    this.values = new ValueNames(numbering.encoder);
    this.templates = [...new Set(settings.templates.map(canonical))].flatMap((name) => {
      const fields = stateNotation.read(name);
      const isThere = ({ value }: TemplateField, turn: TagColumn) =>
        !isColumnValue(value) || columnsOfValue(value, tags, turn).length > 0;
      return turnsOf(fields, tags)
        .filter((turn) => fields.every((field) => isThere(field, turn)))
        .map((turn) => ({ name, fields, turn }));
    });
  }

  /** The features of a configuration, in the order of their hashes. */
  list(sentence: EncodedSentence, configuration: StackConfiguration): FilledTemplate[] {
    return this.templates.map(({ name, fields, turn }) => ({
      template: name,
      feature: fields.map((field) => this.filled(sentence, configuration, field, turn)).join(' '),
    }));
  }

  private filled(
    sentence: EncodedSentence,
    configuration: StackConfiguration,
    field: TemplateField,
    turn: TagColumn,
  ): string {
    const { node, moves, value, offset } = field;
    if (node === '') return `${value}=${this.distance(configuration)}`;
    const token = nodeOf(configuration, node, moves as readonly Move[]);
    const beside = offset === 0 ? '' : offset > 0 ? `+${offset}` : `${offset}`;
    const columns = isColumnValue(value) ? columnsOfValue(value, this.settings.tags, turn) : [];
    const name = `${node}${moves.join('')}${beside}.${columns.length > 0 ? columns.join('+') : value}`;
    if (token === -1) return `${name}=${NONE}`;
    if (columns.length === 0)
      return `${name}=${this.known(sentence, configuration, token, value as StateValue)}`;
    const { names } = this.numbering.encoder;
    const read = columns.map((column) => this.values.beside(sentence, names.indexOf(column), token, offset));
    return `${name}=${read.join('+')}`;
  }

  /** What the tree so far tells of a token. */
  private known(
    { length }: EncodedSentence,
    configuration: StackConfiguration,
    token: number,
    value: StateValue,
  ): string {
    const children = Array.from({ length }, (_, i) => i + 1).filter(
      (one) => configuration.head(one) === token,
    );
    switch (value) {
      case 'r':
        return this.labelOf(configuration, token);
      case 'vl':
        return String(configuration.fact(tokenFacts.indexOf('leftCount'), token));
      case 'vr':
        return String(configuration.fact(tokenFacts.indexOf('rightCount'), token));
      case 'rl':
        return this.labelsOf(
          configuration,
          children.filter((child) => child < token),
        );
      case 'rr':
        return this.labelsOf(
          configuration,
          children.filter((child) => child > token),
        );
    }
  }

  private labelOf(configuration: StackConfiguration, token: number): string {
    return this.numbering.labels[configuration.label(token)] ?? NONE;
  }

  /** The different labels of some tokens. */
  private labelsOf(configuration: StackConfiguration, tokens: readonly number[]): string {
    const labels = new Set(tokens.map((token) => this.labelOf(configuration, token)));
    return `{${[...labels].sort().join(', ')}}`;
  }

  /** As `StateFeatures` takes it. */
  private distance(configuration: StackConfiguration): string {
    const left = this.focus.left(configuration);
    const right = this.focus.right(configuration);
    if (left === -1 || right <= 0) return NONE;
    const distance = right - left;
    return distance < 5 ? String(distance) : distance < 10 ? '5–9' : '10 or more';
  }
}

/** The token that a node stands for; −1: none. */
function nodeOf(configuration: StackConfiguration, start: string, moves: readonly Move[]): number {
  const depth = Number(start[1]);
  let token = start[0] === 's' ? configuration.stack(depth) : configuration.buffer(depth);
  for (const move of moves) {
    if (token === -1) return -1;
    token = configuration.fact(tokenFacts.indexOf(moveFacts[move]), token);
  }
  return token;
}
