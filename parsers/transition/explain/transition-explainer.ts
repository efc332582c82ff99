import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import { decisionOf, runnerUpOf } from '../../../src/explain/decisions.ts';
import type { ExplainRequest } from '../../../src/explain/request.ts';
import { checkRequest, checkStep, explainedSentenceOf } from '../../../src/explain/request.ts';
import type { Decision } from '../../../src/explain/shared.ts';
import type { TransitionExplanation, TransitionStep } from '../../../src/explain/steps.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import type { BuiltTree } from '../../parser.ts';
import { type BeamItem, BeamSearch } from '../beam-search.ts';
import { mirroredSentence, mirroredTree } from '../mirror.ts';
import { GreedySearch } from '../search.ts';
import { StackConfiguration } from '../systems/stack-configuration.ts';
import type { DynamicOracle, GoldTree } from '../systems/system.ts';
import {
  actionNames,
  actionOf,
  goldTransitions,
  hasLabel,
  IDLE,
  labelOf,
  transitionOf,
} from '../systems/system.ts';
import type { TransitionModel, TransitionWeights } from '../transition-model.ts';
import { namedTransition, TransitionContributions } from './feature-names.ts';

type Scored = { readonly transition: number; readonly score: number };

/** Explains a parse: every step of the search, and for a requested step the decision on action and label. */
export class TransitionExplainer {
  /** The sentence in parsing order. */
  private readonly encoded: EncodedSentence;
  private readonly configuration = new StackConfiguration();
  private readonly derivation: Derivation;
  private readonly contributions: TransitionContributions;
  private readonly isGreedy: boolean;
  private readonly isMirrored: boolean;
  private readonly gold: GoldTree | undefined;
  private readonly goldPath: readonly number[] | undefined;
  /** The first step whose action differs from the gold path; −1: none. */
  private readonly firstWrong: number;
  /** In beam search, by step: places of the best and of the gold configuration in the beam. */
  private readonly bestPlaces: readonly number[];
  private readonly goldPlaces: readonly number[];
  private readonly costs: DynamicOracle | undefined;

  constructor(
    private readonly model: TransitionModel,
    private readonly weights: TransitionWeights,
    private readonly sentence: Sentence,
    private readonly found: BuiltTree,
    private readonly request: ExplainRequest,
  ) {
    const { settings, system } = model;
    checkRequest(request, sentence, settings.maxLength, { steps: true });
    this.isGreedy = settings.beam === 0;
    this.isMirrored = settings.direction === 'right-to-left';
    this.encoded = this.isMirrored ? mirroredSentence(found.encoded) : found.encoded;
    this.derivation = derivationOf(model, this.encoded, weights);
    this.contributions = new TransitionContributions(model, weights, this.encoded);
    checkStep(request, this.derivation.transitions.length);
    this.gold = this.goldTree();
    this.goldPath = this.gold && goldPathOf(model, this.gold);
    const { goldPath } = this;
    this.firstWrong = this.derivation.transitions.findIndex(
      (one, at) => actionOf(one) !== actionOf(goldPath?.[at] ?? one),
    );
    this.bestPlaces = placesOfBest(this.derivation.beams);
    this.goldPlaces = placesOfGold(this.derivation.beams, goldPath ?? []);
    if (goldPath !== undefined) {
      this.costs = system.createDynamicOracle?.();
      this.costs?.start(this.gold!);
    }
  }

  explain(): TransitionExplanation {
    const { model, sentence, found, request, goldPath } = this;
    const { settings } = model;
    const { steps, decision } = this.walk();
    const goldLostAt = this.goldLostAt();
    return {
      paradigm: 'transition',
      ...explainedSentenceOf(sentence, found.parse, request, found),
      system: settings.system,
      direction: settings.direction,
      beam: settings.beam,
      score: steps.reduce((sum, { score }) => sum + score, 0),
      steps,
      ...(this.gold === undefined ? {} : { isGoldBuildable: goldPath !== undefined }),
      ...(goldLostAt === undefined ? {} : { goldLostAt }),
      ...(decision === undefined ? {} : { decision }),
    };
  }

  /** The gold tree in parsing order; unknown labels are −1. */
  private goldTree(): GoldTree | undefined {
    const { gold } = this.request;
    if (gold === undefined) return undefined;
    const labels = Int32Array.from(gold.labels, (label) => this.model.numbering.labels.indexOf(label));
    const tree = { heads: gold.heads, labels };
    return { length: this.sentence.length, ...(this.isMirrored ? mirroredTree(tree) : tree) };
  }

  private walk(): Pick<TransitionExplanation, 'steps' | 'decision'> {
    const { model, configuration, encoded, derivation, request } = this;
    model.features.prepare(encoded);
    model.system.start(configuration, encoded.length);
    let decision: TransitionExplanation['decision'];
    const steps = derivation.transitions.map((transition, at) => {
      const step = this.stepAt(transition, at);
      if (request.step === at + 1) decision = { step: at + 1, ...this.decide(transition, at) };
      model.system.apply(configuration, actionOf(transition), labelOf(transition));
      return step;
    });
    return { steps, decision };
  }

  private stepAt(transition: number, at: number): TransitionStep {
    const { configuration, goldPath, sentence } = this;
    const action = actionOf(transition);
    const scored = this.scoredTransitions();
    const chosen = scored.find((one) => one.transition === this.compared(transition))!;
    const other = runnerUpOf(scored, chosen, ({ score }) => score);
    const isOnGoldPath = goldPath !== undefined && this.isOnGoldPath(at);
    const beam = this.beamAfter(at);
    return {
      stack: this.listed((depth) => configuration.stack(depth), configuration.stackSize).reverse(),
      buffer: this.listed((depth) => configuration.buffer(depth), configuration.bufferSize),
      heads: Array.from({ length: sentence.length + 1 }, (_, d) =>
        d === 0 ? -1 : this.token(configuration.head(this.token(d))),
      ),
      ...this.named(transition),
      score: chosen.score,
      margin: other === undefined ? null : chosen.score - other.score,
      actions: this.actionsOf(scored),
      ...(hasLabel(action) ? { labels: this.labelsOf(action) } : {}),
      ...(isOnGoldPath && at < goldPath.length ? { oracle: this.named(goldPath[at]) } : {}),
      ...(beam === undefined ? {} : { beam }),
    };
  }

  /** The transition as the search compares it: in greedy search without its label. */
  private compared(transition: number): number {
    return this.isGreedy ? transitionOf(actionOf(transition), 0) : transition;
  }

  private scoredTransitions(): Scored[] {
    const { model, configuration, weights, encoded, isGreedy } = this;
    model.score(configuration, weights);
    return model.system.actions
      .filter((action) => model.system.permits(configuration, action))
      .flatMap((action) => {
        const score = model.actionScores[action];
        if (isGreedy || !hasLabel(action)) return { transition: transitionOf(action, 0), score };
        const labels = model.labelsFor(encoded, configuration, action);
        model.scoreLabels(action, labels, weights);
        return Array.from(labels, (label, l) => ({
          transition: transitionOf(action, label),
          score: score + model.labelScores[l],
        }));
      });
  }

  private actionsOf(scored: readonly Scored[]): TransitionStep['actions'] {
    const best = new Map<number, Scored>();
    for (const one of scored) {
      const before = best.get(actionOf(one.transition));
      if (before === undefined || one.score > before.score) best.set(actionOf(one.transition), one);
    }
    return [...best]
      .map(([action, { transition, score }]) => {
        const cost = this.costs?.cost(this.configuration, action);
        return {
          ...(this.isGreedy ? { action: actionNames[action] } : this.named(transition)),
          score,
          ...(cost === undefined ? {} : { cost }),
        };
      })
      .sort((a, b) => b.score - a.score);
  }

  private labelsOf(action: number): { label: string; score: number }[] {
    const { model, configuration, weights, encoded } = this;
    const labels = model.labelsFor(encoded, configuration, action);
    model.scoreLabels(action, labels, weights);
    return Array.from(labels, (label, l) => ({
      label: model.numbering.labels[label],
      score: model.labelScores[l],
    })).sort((a, b) => b.score - a.score);
  }

  /** Whether all actions before a step agree with the gold path. */
  private isOnGoldPath(at: number): boolean {
    return this.firstWrong === -1 || at <= this.firstWrong;
  }

  private goldLostAt(): number | undefined {
    if (this.goldPath === undefined) return undefined;
    const lost = this.isGreedy ? this.firstWrong : this.goldPlaces.indexOf(-1);
    return lost === -1 ? undefined : lost + 1;
  }

  private beamAfter(at: number): TransitionStep['beam'] {
    const { derivation, goldPath, bestPlaces, goldPlaces } = this;
    return derivation.beams[at]?.map(({ from, by, score }, place) => ({
      from,
      ...(by === IDLE ? {} : this.named(by)),
      score,
      isBest: place === bestPlaces[at],
      isGold: goldPath !== undefined && place === goldPlaces[at],
    }));
  }

  private decide(transition: number, at: number): { action: Decision; label?: Decision } {
    const { goldPath } = this;
    const scored = this.scoredTransitions();
    const own = this.compared(transition);
    const oracle = goldPath !== undefined && this.isOnGoldPath(at) ? this.compared(goldPath[at]) : own;
    const isWrong = oracle !== own && scored.some((one) => one.transition === oracle);
    const chosen = scored.find((one) => one.transition === own)!;
    const runnerUp = runnerUpOf(scored, chosen, ({ score }) => score)?.transition;
    const action = decisionOf(own, { gold: isWrong ? oracle : undefined, runnerUp }, (one) =>
      this.contributions.ofTransition(this.configuration, one, !this.isGreedy),
    );
    return this.isGreedy && hasLabel(actionOf(transition))
      ? { action, label: this.decideLabel(transition) }
      : { action };
  }

  /** Compares the label with the next best: greedy search chooses labels after actions. */
  private decideLabel(transition: number): Decision {
    const action = actionOf(transition);
    const [best, second] = this.labelsOf(action);
    const name = this.model.numbering.labels[labelOf(transition)];
    const runnerUp = (best.label === name ? second : best)?.label;
    return decisionOf(name, { gold: undefined, runnerUp }, (label) =>
      this.contributions.ofLabel(this.configuration, action, label),
    );
  }

  private named(transition: number): { action: string; label?: string } {
    return namedTransition(transition, this.model.numbering.labels);
  }

  private listed(at: (depth: number) => number, count: number): number[] {
    return Array.from({ length: count }, (_, depth) => this.token(at(depth)));
  }

  private token(token: number): number {
    return this.isMirrored && token > 0 ? this.sentence.length + 1 - token : token;
  }
}

interface Derivation {
  readonly transitions: readonly number[];
  readonly beams: readonly (readonly BeamItem[])[];
}

/** Runs the parser's own search, and records the transitions to the tree that it finds. */
function derivationOf(model: TransitionModel, sentence: EncodedSentence, weights: TransitionWeights) {
  const { beam } = model.settings;
  if (beam === 0) {
    const transitions: number[] = [];
    new GreedySearch(model).best(sentence, weights, transitions);
    return { transitions, beams: [] };
  }
  const beams = new BeamSearch(model, beam).beams(sentence, weights);
  const transitions = placesOfBest(beams)
    .map((place, step) => beams[step][place].by)
    .filter((transition) => transition !== IDLE);
  return { transitions, beams };
}

/** By step: place in the beam of the configuration that leads to the best final one. */
function placesOfBest(beams: readonly (readonly BeamItem[])[]): number[] {
  let place = 0;
  return beams
    .toReversed()
    .map((beam) => {
      const here = place;
      place = beam[here].from;
      return here;
    })
    .reverse();
}

/** By step: place in the beam of the configuration on the way to the gold tree; −1 after it has fallen out. */
function placesOfGold(beams: readonly (readonly BeamItem[])[], gold: readonly number[]): number[] {
  let place = 0;
  return beams.map((beam, step) => {
    const transition = gold[step] ?? IDLE;
    place = beam.findIndex(({ from, by }) => place !== -1 && from === place && by === transition);
    return place;
  });
}

/** The transitions that build a gold tree; undefined if the system cannot build it. */
function goldPathOf({ system }: TransitionModel, gold: GoldTree): number[] | undefined {
  const configuration = new StackConfiguration();
  const transitions = goldTransitions(system, system.createOracle(), configuration, gold);
  const isBuilt = gold.heads.every((head, d) => d === 0 || configuration.head(d) === head);
  return isBuilt ? transitions : undefined;
}
