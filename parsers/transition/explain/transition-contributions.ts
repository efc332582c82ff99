import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import { alternativeOf, contributionsOf, type FilledTemplate } from '../../../src/explain/decisions.ts';
import type { Alternative } from '../../../src/explain/shared.ts';
import { actionOf, labelOf } from '../search/transition.ts';
import { actionNames, hasLabel, UNSHIFT } from '../systems/actions.ts';
import type { StackConfiguration } from '../systems/stack-configuration.ts';
import { labelRow, type TransitionModel, type TransitionWeights } from '../transition-model.ts';
import { GuideFeatureNames } from './guide-feature-names.ts';
import { StateFeatureNames } from './state-feature-names.ts';

/** What each feature of a configuration, whose features were extracted last, adds to the scores of transitions. */
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

  /** To the score of a transition, with its label or without. */
  ofTransition(configuration: StackConfiguration, transition: number, withLabel: boolean): Alternative {
    const { features, mask, numbering } = this.model;
    const { actions } = this.weights;
    const [action, label] = [actionOf(transition), labelOf(transition)];
    const ofLabel = withLabel && hasLabel(action) ? this.labelWeights(action, label) : () => 0;
    // UNSHIFT never has a rival, and so no score.
    const ofAction = (t: number) => (action === UNSHIFT ? 0 : actions[(features.hashes[t] & mask) + action]);
    const name = withLabel ? namedTransition(transition, numbering.labels) : { action: actionNames[action] };
    return alternativeOf(
      Object.values(name).join(' '),
      contributionsOf(this.features(configuration), (t) => ofAction(t) + ofLabel(t)),
    );
  }

  /** To the score of a label of LEFT or RIGHT. */
  ofLabel(configuration: StackConfiguration, action: number, name: string): Alternative {
    const label = this.model.numbering.labels.indexOf(name);
    return alternativeOf(
      name,
      contributionsOf(this.features(configuration), this.labelWeights(action, label)),
    );
  }

  /** All features, in the order of their hashes. */
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

/** A transition in words. */
export function namedTransition(
  transition: number,
  labels: readonly string[],
): { action: string; label?: string } {
  const action = actionOf(transition);
  const label = hasLabel(action) ? labels[labelOf(transition)] : undefined;
  return { action: actionNames[action], ...(label === undefined ? {} : { label }) };
}
