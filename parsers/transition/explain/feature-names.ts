import { type EncodedSentence, ValueNames } from '../../../src/encoding/columns.ts';
import type { Numbering } from '../../../src/encoding/numbering.ts';
import {
  canonical,
  columnsOfValue,
  isColumnValue,
  type TemplateField,
  turnsOf,
} from '../../../src/encoding/templates/notation.ts';
import { alternativeOf, contributionsOf, type FilledTemplate } from '../../../src/explain/decisions.ts';
import type { Alternative } from '../../../src/explain/shared.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';
import { type DescribedGuideFeature, type GuideValue, placeNames } from '../features/guide-features.ts';
import { moveFacts, stateFacts } from '../features/state-features.ts';
import { isThere, type Move, type StateValue, stateNotation } from '../features/templates.ts';
import type { TransitionSettings } from '../settings.ts';
import { type StackConfiguration, tokenFacts } from '../systems/stack-configuration.ts';
import { actionNames, actionOf, hasLabel, labelOf, type NodePair, UNSHIFT } from '../systems/system.ts';
import { labelRow, type TransitionModel, type TransitionWeights } from '../transition-model.ts';

/** Stands for a missing node or an unknown value. */
const NONE = '⟨none⟩';

type Turned = { readonly name: string; readonly fields: readonly TemplateField[]; readonly turn: TagColumn };

class StateFeatureNames {
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
      return turnsOf(fields, tags)
        .filter((turn) => fields.every((field) => isThere(field, tags, turn)))
        .map((turn) => ({ name, fields, turn }));
    });
  }

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
    const suffix = offset === 0 ? '' : offset > 0 ? `+${offset}` : `${offset}`;
    const columns = isColumnValue(value) ? columnsOfValue(value, this.settings.tags, turn) : [];
    const name = `${node}${moves.join('')}${suffix}.${columns.length > 0 ? columns.join('+') : value}`;
    if (token === -1) return `${name}=${NONE}`;
    if (columns.length === 0)
      return `${name}=${this.known(sentence, configuration, token, value as StateValue)}`;
    const { names } = this.numbering.encoder;
    const read = columns.map((column) =>
      this.values.valueNear(sentence, names.indexOf(column), token, offset),
    );
    return `${name}=${read.join('+')}`;
  }

  private known(
    { length }: EncodedSentence,
    configuration: StackConfiguration,
    token: number,
    value: StateValue,
  ): string {
    if (value === 'r') return this.labelOf(configuration, token);
    if (value === 'vl' || value === 'vr')
      return String(configuration.fact(tokenFacts.indexOf(stateFacts[value]), token));
    const children = Array.from({ length }, (_, i) => i + 1).filter(
      (d) => configuration.head(d) === token && d < token === (value === 'rl'),
    );
    const labels = new Set(children.map((child) => this.labelOf(configuration, child)));
    return `{${[...labels].sort().join(', ')}}`;
  }

  private labelOf(configuration: StackConfiguration, token: number): string {
    return this.numbering.labels[configuration.label(token)] ?? NONE;
  }

  private distance(configuration: StackConfiguration): string {
    const left = this.focus.left(configuration);
    const right = this.focus.right(configuration);
    if (left === -1 || right <= 0) return NONE;
    const distance = right - left;
    return distance < 5 ? String(distance) : distance < 10 ? '5–9' : '10 or more';
  }
}

function nodeOf(configuration: StackConfiguration, start: string, moves: readonly Move[]): number {
  const depth = Number(start[1]);
  let token = start[0] === 's' ? configuration.stack(depth) : configuration.buffer(depth);
  for (const move of moves) {
    if (token === -1) return -1;
    token = configuration.fact(tokenFacts.indexOf(moveFacts[move]), token);
  }
  return token;
}

class GuideFeatureNames {
  private readonly values: ValueNames;

  constructor(
    private readonly numbering: Numbering,
    private readonly tag: TagColumn,
  ) {
    this.values = new ValueNames(numbering.encoder);
  }

  list(features: readonly DescribedGuideFeature[]): FilledTemplate[] {
    return features.map(({ view, values }) => {
      const template = values.map(({ name }) => name).join(' ');
      // The distinct readings of several guides.
      const feature = values.map(
        ({ name, read }) =>
          `${name}=${[...new Set(read.map((value) => this.text(name, value)))].join(' / ')}`,
      );
      return { template: `${view}: ${template}`, feature: feature.join(' ') };
    });
  }

  private text(name: GuideValue, value: number): string {
    const { encoder, labels } = this.numbering;
    if (value < 0) return '⟨none⟩';
    if (name.endsWith('Tag')) return this.values.of(encoder.names.indexOf(this.tag), value);
    if (name.endsWith('Form')) return this.values.of(encoder.names.indexOf('form'), value);
    if (name.endsWith('Label')) return labels[value];
    if (name === 'leftHead') return `${placeNames[value >> 1]}${value % 2 === 1 ? ' (has a head)' : ''}`;
    return name.endsWith('Head') ? placeNames[value] : String(value);
  }
}

export class TransitionContributions {
  private readonly names: StateFeatureNames;
  private readonly guideNames: GuideFeatureNames;

  constructor(
    private readonly model: TransitionModel,
    private readonly weights: TransitionWeights,
    private readonly encoded: EncodedSentence,
  ) {
    const { settings, numbering, system } = model;
    this.names = new StateFeatureNames(settings, numbering, system.focus);
    this.guideNames = new GuideFeatureNames(numbering, settings.tags[0]);
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
    const { guides } = this.model.features;
    const ofGuides = guides === undefined ? [] : this.guideNames.list(guides.described());
    return [...this.names.list(this.encoded, configuration), ...ofGuides];
  }

  private labelWeights(action: number, label: number): (t: number) => number {
    const { features, mask } = this.model;
    return (t) => this.weights.labels[(labelRow(features.hashes[t], action) & mask) + label];
  }
}

export function namedTransition(transition: number, labels: readonly string[]) {
  const action = actionOf(transition);
  const label = hasLabel(action) ? labels[labelOf(transition)] : undefined;
  return { action: actionNames[action], ...(label === undefined ? {} : { label }) };
}
