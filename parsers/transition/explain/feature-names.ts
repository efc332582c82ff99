import { type EncodedSentence, ValueNames } from '../../../src/encoding/columns.ts';
import type { TemplateField } from '../../../src/encoding/templates/notation.ts';
import { columnsOfValue, isColumnValue, offsetText } from '../../../src/encoding/templates/notation.ts';
import { alternativeOf, contributionsOf, type FilledTemplate } from '../../../src/explain/decisions.ts';
import type { Alternative } from '../../../src/explain/shared.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';
import { type GuideValue, placeNames } from '../features/guide-features.ts';
import { arcDistance, moveFacts, stateFacts } from '../features/state-features.ts';
import { type Move, readTemplates, type StateValue } from '../features/templates.ts';
import { type StackConfiguration, tokenFacts } from '../systems/stack-configuration.ts';
import { actionNames, actionOf, hasLabel, labelOf, UNSHIFT } from '../systems/system.ts';
import { labelRow, type TransitionModel, type TransitionWeights } from '../transition-model.ts';

/** A missing node or an unknown value. */
const NONE = '⟨none⟩';

/** Names of the buckets of `arcDistance` whose numbers are not distances. */
const bucketNames: Readonly<Record<number, string>> = { 0: NONE, 5: '5–9', 6: '10 or more' };

function nodeOf(configuration: StackConfiguration, start: string, moves: readonly Move[]): number {
  const depth = Number(start[1]);
  let token = start[0] === 's' ? configuration.stack(depth) : configuration.buffer(depth);
  for (const move of moves) {
    if (token === -1) return -1;
    token = configuration.fact(tokenFacts.indexOf(moveFacts[move]), token);
  }
  return token;
}

/** The contributions of features to the scores of transitions. */
export class TransitionContributions {
  private readonly templates: ReturnType<typeof readTemplates>;
  private readonly values: ValueNames;

  constructor(
    private readonly model: TransitionModel,
    private readonly weights: TransitionWeights,
    private readonly encoded: EncodedSentence,
  ) {
    this.values = new ValueNames(model.numbering.encoder);
    this.templates = readTemplates(model.settings.templates, model.settings.tags);
  }

  ofTransition(configuration: StackConfiguration, transition: number, withLabel: boolean): Alternative {
    const { features, mask, numbering } = this.model;
    const { actions } = this.weights;
    const [action, label] = [actionOf(transition), labelOf(transition)];
    const ofLabel = withLabel && hasLabel(action) ? this.labelWeights(action, label) : () => 0;
    // UNSHIFT never has an alternative, and so no score.
    const ofAction = (t: number) => (action === UNSHIFT ? 0 : actions[(features.hashes[t] & mask) + action]);
    const name = withLabel ? namedTransition(transition, numbering.labels) : { action: actionNames[action] };
    return alternativeOf(
      Object.values(name).join(' '),
      contributionsOf(this.features(configuration), (t) => ofAction(t) + ofLabel(t)),
    );
  }

  ofLabel(configuration: StackConfiguration, action: number, name: string): Alternative {
    const label = this.model.numbering.labels.indexOf(name);
    return alternativeOf(
      name,
      contributionsOf(this.features(configuration), this.labelWeights(action, label)),
    );
  }

  private features(configuration: StackConfiguration): FilledTemplate[] {
    const own = this.templates.map(({ name, fields, turn }) => ({
      template: name,
      feature: fields.map((field) => this.filled(configuration, field, turn)).join(' '),
    }));
    return [...own, ...this.guideFeatures()];
  }

  /** Describes what a field of a template reads in a configuration. */
  private filled(configuration: StackConfiguration, field: TemplateField, turn: TagColumn): string {
    const { node, moves, value, offset } = field;
    if (node === '') {
      const distance = arcDistance(this.model.system.focus, configuration);
      return `${value}=${bucketNames[distance] ?? distance}`;
    }
    const token = nodeOf(configuration, node, moves as readonly Move[]);
    const columns = isColumnValue(value) ? columnsOfValue(value, this.model.settings.tags, turn) : [];
    const path = `${node}${moves.join('')}${offsetText(offset)}`;
    const name = `${path}.${columns.length > 0 ? columns.join('+') : value}`;
    if (token === -1) return `${name}=${NONE}`;
    if (columns.length === 0) return `${name}=${this.stateValue(configuration, token, value as StateValue)}`;
    const { names } = this.model.numbering.encoder;
    const read = columns.map((column) =>
      this.values.valueNear(this.encoded, names.indexOf(column), token, offset),
    );
    return `${name}=${read.join('+')}`;
  }

  private stateValue(configuration: StackConfiguration, token: number, value: StateValue): string {
    const { length } = this.encoded;
    if (value === 'r') return this.labelName(configuration, token);
    if (value === 'vl' || value === 'vr')
      return String(configuration.fact(tokenFacts.indexOf(stateFacts[value]), token));
    const children = Array.from({ length }, (_, i) => i + 1).filter(
      (d) => configuration.head(d) === token && d < token === (value === 'rl'),
    );
    const labels = new Set(children.map((child) => this.labelName(configuration, child)));
    return `{${[...labels].sort().join(', ')}}`;
  }

  private labelName(configuration: StackConfiguration, token: number): string {
    return this.model.numbering.labels[configuration.label(token)] ?? NONE;
  }

  private guideFeatures(): FilledTemplate[] {
    return (this.model.features.guides?.described() ?? []).map(({ view, values }) => {
      const template = values.map(({ name }) => name).join(' ');
      const feature = values.map(({ name, read }) => {
        const texts = read.map((value) => this.guideValue(name, value));
        return `${name}=${[...new Set(texts)].join(' / ')}`;
      });
      return { template: `${view}: ${template}`, feature: feature.join(' ') };
    });
  }

  private guideValue(name: GuideValue, value: number): string {
    const { numbering, settings } = this.model;
    const { names } = numbering.encoder;
    if (value < 0) return NONE;
    if (name.endsWith('Tag')) return this.values.of(names.indexOf(settings.tags[0]), value);
    if (name.endsWith('Form')) return this.values.of(names.indexOf('form'), value);
    if (name.endsWith('Label')) return numbering.labels[value];
    if (name === 'leftHead') return `${placeNames[value >> 1]}${value % 2 === 1 ? ' (has a head)' : ''}`;
    return name.endsWith('Head') ? placeNames[value] : String(value);
  }

  private labelWeights(action: number, label: number): (t: number) => number {
    const { features, mask } = this.model;
    return (t) => this.weights.labels[(labelRow(features.hashes[t], action) & mask) + label];
  }
}

/** The names of a transition's action and, if it makes an arc, of its label. */
export function namedTransition(transition: number, labels: readonly string[]) {
  const action = actionOf(transition);
  const label = hasLabel(action) ? labels[labelOf(transition)] : undefined;
  return { action: actionNames[action], ...(label === undefined ? {} : { label }) };
}
