import { type EncodedSentence, ValueNames } from '../../src/encoding/columns.ts';
import { alternativeOf, decisionOf, runnerUpOf } from '../../src/explain/decisions.ts';
import type { ExplainRequest } from '../../src/explain/request.ts';
import { checkRequest, checkStep, explainedSentenceOf } from '../../src/explain/request.ts';
import type { Contribution, Decision } from '../../src/explain/shared.ts';
import type { RowStep, YamadaMatsumotoExplanation } from '../../src/explain/steps.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { BuiltTree } from '../parser.ts';
import type { Classifier, ClassifierSet } from './classifiers/classifier.ts';
import type { YamadaMatsumotoModel } from './model.ts';
import { actionNames, NONE, RowConfiguration } from './system.ts';

type Scored = { readonly action: number; readonly score: number | null };

/** Explains a parse: every step of the search, the labels, and for a requested step the decision on its action. */
export class RowExplainer {
  private readonly encoded: EncodedSentence;
  private readonly configuration = new RowConfiguration();
  private readonly values: ValueNames;

  constructor(
    private readonly model: YamadaMatsumotoModel,
    private readonly classifiers: Readonly<Record<'actions' | 'labels', ClassifierSet>>,
    private readonly sentence: Sentence,
    private readonly found: BuiltTree,
    private readonly request: ExplainRequest,
  ) {
    checkRequest(request, sentence, model.settings.maxLength, { steps: true });
    this.encoded = found.encoded;
    this.values = new ValueNames(model.numbering.encoder);
  }

  explain(): YamadaMatsumotoExplanation {
    const { model, sentence, found, request } = this;
    const { steps, decision, goldLostAt } = this.walk();
    checkStep(request, steps.length);
    return {
      paradigm: 'yamada-matsumoto',
      ...explainedSentenceOf(sentence, found.parse, request, found),
      degree: model.settings.degree,
      steps,
      ...(goldLostAt === undefined ? {} : { goldLostAt }),
      labels: this.labels(),
      ...(decision === undefined ? {} : { decision }),
    };
  }

  private walk(): Pick<YamadaMatsumotoExplanation, 'steps' | 'decision' | 'goldLostAt'> {
    const { model, configuration, classifiers, encoded, request, sentence } = this;
    const { system, window, oracle } = model;
    const steps: RowStep[] = [];
    let decision: YamadaMatsumotoExplanation['decision'];
    let goldLostAt: number | undefined;
    window.prepare(encoded);
    if (request.gold !== undefined) oracle.start({ length: sentence.length, heads: request.gold.heads });
    system.start(configuration, sentence.length);
    while (!configuration.isComplete) {
      const isOnGoldPath = request.gold !== undefined && goldLostAt === undefined;
      const gold = isOnGoldPath ? oracle.next(configuration) : NONE;
      const scored = this.scored();
      const action = classifiers.actions.best(this.tag(), window.set, system.permitted(configuration));
      steps.push(this.step(scored, action, gold));
      if (isOnGoldPath && action !== gold) goldLostAt = steps.length;
      if (request.step === steps.length)
        decision = { step: steps.length, action: this.decide(scored, action, gold) };
      system.apply(configuration, action);
    }
    return { steps, ...(decision && { decision }), ...(goldLostAt === undefined ? {} : { goldLostAt }) };
  }

  /** Extracts the features of the configuration, and scores the permitted actions. */
  private scored(): Scored[] {
    const { model, configuration } = this;
    const { window, system } = model;
    window.extract(configuration);
    const permitted = system.permitted(configuration);
    const decider = this.decider();
    if (decider === undefined) {
      const votes = this.votes();
      return Array.from(permitted, (action) => ({
        action,
        score: votes.reduce((sum, { target, examples }) => (target === action ? sum + examples : sum), 0),
      }));
    }
    return decider
      .scoresAmong(window.set, permitted)
      .map(({ target, score = null }) => ({ action: target, score }));
  }

  /** The classifier that decides on the action; undefined: all vote. */
  private decider(): Classifier | undefined {
    const { window, system } = this.model;
    return this.classifiers.actions.deciderOf(this.tag(), window.set, system.permitted(this.configuration));
  }

  private votes() {
    const { window, system } = this.model;
    return this.classifiers.actions.votesOf(window.set, system.permitted(this.configuration));
  }

  private tag(): number {
    const { row, focus } = this.configuration;
    return this.model.tagOf(this.encoded, row[focus]);
  }

  private step(scored: readonly Scored[], action: number, gold: number): RowStep {
    const { configuration, sentence } = this;
    const { row, size, focus } = configuration;
    const { chosen, other } = compared(scored, action);
    return {
      row: [...row.subarray(0, size)],
      focus,
      heads: [...configuration.heads.subarray(0, sentence.length + 1)],
      action: actionNames[action],
      classifier: this.decider() === undefined ? null : this.tagName(this.tag()),
      margin: chosen.score === null || other === undefined ? null : chosen.score - (other.score ?? 0),
      actions: byScore(scored).map((one) => ({ action: actionNames[one.action], score: one.score })),
      ...(gold === NONE ? {} : { oracle: { action: actionNames[gold] } }),
    };
  }

  private tagName(tag: number): string {
    const { splitByTag, tags } = this.model.settings;
    if (!splitByTag) return 'every tag';
    return this.values.of(this.model.numbering.encoder.names.indexOf(tags[0]), tag);
  }

  private decide(scored: readonly Scored[], action: number, gold: number): Decision {
    const isWrong = gold !== NONE && gold !== action && scored.some((one) => one.action === gold);
    const rivals = { gold: isWrong ? gold : undefined, runnerUp: compared(scored, action).other?.action };
    return decisionOf(action, rivals, (one, rival) =>
      alternativeOf(actionNames[one], this.contributions(one, rival)),
    );
  }

  private contributions(action: number, rival: number | undefined): Contribution[] {
    const decider = this.decider();
    if (decider === undefined) {
      const votes = this.votes().filter(({ target }) => target === action);
      return votes.map(({ tag, examples }) => ({
        template: 'vote',
        feature: this.tagName(tag),
        weight: examples,
      }));
    }
    if (decider.data.classes.length === 1) return [];
    return decider
      .sharesIn(this.model.window.set, action, rival)
      .filter(({ share }) => share !== 0)
      .map(({ feature, share }) => ({ ...this.named(feature), weight: share }));
  }

  private named(feature: number | undefined): { template: string; feature: string } {
    if (feature === undefined) return { template: 'constant', feature: '' };
    const { window, numbering } = this.model;
    const { slot, value } = window.set.meaningOf(feature);
    const action = window.actionOf(slot, value);
    if (action !== undefined) return { template: 'action before', feature: actionNames[action] };
    const { node, column } = window.slotName(slot);
    const template = `${node}.${numbering.encoder.names[column]}`;
    return { template, feature: `${template}=${this.values.of(column, value)}` };
  }

  private labels(): YamadaMatsumotoExplanation['labels'] {
    const { model, classifiers, encoded, found, sentence } = this;
    const { arcs, numbering } = model;
    arcs.prepareTree(encoded, found.heads);
    return Array.from({ length: sentence.length }, (_, i) => {
      const d = i + 1;
      const candidates = numbering.candidates.of(encoded, found.heads[d], d);
      arcs.extract(d);
      const decider = classifiers.labels.deciderOf(model.tagOf(encoded, d), arcs.set, candidates);
      const scores = decider?.scoresAmong(arcs.set, candidates) ?? [];
      return {
        dependent: d,
        label: found.labels[d],
        scores: byScore(scores).map(({ target, score = null }) => ({
          label: numbering.labels[target],
          score,
        })),
      };
    });
  }
}

/** The chosen action and the runner-up. */
function compared(scored: readonly Scored[], action: number) {
  const chosen = scored.find((one) => one.action === action)!;
  return { chosen, other: runnerUpOf(scored, chosen, ({ score }) => score ?? 0) };
}

function byScore<T extends { readonly score?: number | null | undefined }>(all: readonly T[]): T[] {
  return all.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0));
}
