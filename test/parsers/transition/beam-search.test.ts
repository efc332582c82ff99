import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BeamSearch } from '../../../parsers/transition/beam-search.ts';
import { GreedySearch } from '../../../parsers/transition/search.ts';
import { stackSystems } from '../../../parsers/transition/systems/registry.ts';
import { StackConfiguration } from '../../../parsers/transition/systems/stack-configuration.ts';
import { hasLabel } from '../../../parsers/transition/systems/system.ts';
import type { TransitionSettings } from '../../../parsers/transition/transition-model.ts';
import {
  TransitionModel,
  type TransitionWeights,
  weightCounts,
} from '../../../parsers/transition/transition-model.ts';
import { LabelCandidates } from '../../../src/encoding/label-candidates.ts';
import { Random } from '../../../src/learn/random.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { encoded, smallSentences } from '../../support/encoded.ts';

const BITS = 10;
const names = Object.keys(stackSystems) as (keyof typeof stackSystems)[];

/** A model with two labels and random weights. */
function randomModel(system: keyof typeof stackSystems, one: Sentence, seed: number) {
  const { encoder, sentence } = encoded(one, ['form', 'upos', 'xpos']);
  const labels = ['x', 'y'];
  const settings: TransitionSettings = {
    ...{ system, bits: BITS, beam: 1, singleRoot: true, normalize: true, maxLength: 1000 },
    direction: 'left-to-right',
    templates: stackSystems[system](true).templates,
    tags: ['upos'],
    stem: 'none',
    guides: undefined,
  };
  const candidates = LabelCandidates.over('upos', encoder, labels.length);
  const model = new TransitionModel({ settings, numbering: { encoder, labels, candidates } });
  const random = new Random(seed);
  const counts = weightCounts(BITS, labels.length);
  const draw = (size: number) => Int16Array.from({ length: size }, () => random.below(201) - 100);
  const weights = { actions: draw(counts.actions), labels: draw(counts.labels) };
  return { model, sentence, weights };
}

/** The highest sum of scores of any sequence of transitions, found by trying all of them. */
function bestScore(
  model: TransitionModel,
  configuration: StackConfiguration,
  weights: TransitionWeights,
): number {
  const { system } = model;
  if (system.isComplete(configuration)) return 0;
  model.score(configuration, weights);
  const actionScores = Float64Array.from(model.actionScores);
  const options = system.actions
    .filter((action) => system.permits(configuration, action))
    .flatMap((action) => {
      if (!hasLabel(action)) return [{ action, label: 0, score: actionScores[action]! }];
      model.scoreLabels(action, Int32Array.of(0, 1), weights);
      return [0, 1].map((label) => ({
        action,
        label,
        score: actionScores[action]! + model.labelScores[label]!,
      }));
    });
  const totals = options.map(({ action, label, score }) => {
    const next = new StackConfiguration();
    next.copy(configuration);
    system.apply(next, action, label);
    return score + bestScore(model, next, weights);
  });
  return Math.max(...totals);
}

/** The sum of scores along a path. */
function pathScore(
  model: TransitionModel,
  length: number,
  path: Int32Array,
  weights: TransitionWeights,
): number {
  const configuration = new StackConfiguration();
  model.system.start(configuration, length);
  let sum = 0;
  for (const transition of path) {
    if (transition === -1) break;
    const [action, label] = [transition & 7, transition >> 3];
    model.score(configuration, weights);
    sum += model.actionScores[action]!;
    if (hasLabel(action)) {
      model.scoreLabels(action, Int32Array.of(label), weights);
      sum += model.labelScores[0]!;
    }
    model.system.apply(configuration, action, label);
  }
  return sum;
}

test.each(names)('a beam wide enough finds the best of all sequences of transitions (%s)', (name) => {
  fc.assert(
    fc.property(smallSentences(1, 3), fc.integer(), (one, seed) => {
      const { model, sentence, weights } = randomModel(name, one, seed);
      const search = new BeamSearch(model, 3000);
      search.searchAlong(sentence, weights, new Int32Array(0), false);
      const start = new StackConfiguration();
      model.system.start(start, one.length);
      expect(pathScore(model, one.length, search.path(search.steps), weights)).toBe(
        bestScore(model, start, weights),
      );
    }),
    { numRuns: 15 },
  );
});

test.each(names)('a beam of one gives the same tree as the greedy search (%s)', (name) => {
  fc.assert(
    fc.property(smallSentences(1, 8), fc.integer(), (one, seed) => {
      const { model, sentence, weights } = randomModel(name, one, seed);
      // If labels score nothing, the greedy search's decisions on action and label become one.
      const unlabelled = { ...weights, labels: new Int16Array(weights.labels.length) };
      const heads = (tree: StackConfiguration) =>
        Array.from({ length: one.length }, (_, d) => tree.head(d + 1));
      const greedy = heads(new GreedySearch(model).best(sentence, unlabelled));
      expect(heads(new BeamSearch(model, 1).best(sentence, unlabelled))).toEqual(greedy);
    }),
  );
});
