import { giveWay, Turns } from '../../src/threads/turns.ts';
import type { Example } from '../../src/training/examples.ts';
import { NONE } from './configuration.ts';
import type { YamadaMatsumotoModel } from './model.ts';
import { SplitExamples, type TagExamples } from './split-examples.ts';

/** The actions that build gold trees, which must be projective, split by the tag of the left node in focus. */
export function actionExamples(
  model: YamadaMatsumotoModel,
  sentences: readonly Example[],
  signal: AbortSignal | undefined,
): Promise<TagExamples[]> {
  return collect(sentences, (sentence, split) => addActions(model, sentence, split), signal);
}

/** The labels of the gold trees' arcs, split by the tag of the dependent. */
export function labelExamples(
  model: YamadaMatsumotoModel,
  sentences: readonly Example[],
  signal: AbortSignal | undefined,
): Promise<TagExamples[]> {
  return collect(sentences, (sentence, split) => addLabels(model, sentence, split), signal);
}

/** What `add` makes of all sentences; the signal ends it. */
async function collect(
  sentences: readonly Example[],
  add: (sentence: Example, split: SplitExamples) => void,
  signal: AbortSignal | undefined,
): Promise<TagExamples[]> {
  const split = new SplitExamples();
  await giveWay(signal);
  await new Turns(signal).forEach(sentences, (sentence) => add(sentence, split));
  return split.finish();
}

function addActions(model: YamadaMatsumotoModel, sentence: Example, split: SplitExamples): void {
  const { system, window, configuration, oracle } = model;
  window.prepare(sentence);
  oracle.start(sentence);
  system.start(configuration, sentence.length);
  while (!system.isComplete(configuration)) {
    const action = oracle.next(configuration);
    if (action === NONE) throw new Error('a tree that the transition system cannot build');
    window.extract(configuration);
    split.add(model.tagOf(sentence, configuration.row[configuration.focus]), window.set, action);
    system.apply(configuration, action);
  }
}

function addLabels(model: YamadaMatsumotoModel, sentence: Example, split: SplitExamples): void {
  model.arcs.prepare(sentence, sentence.heads);
  for (let d = 1; d <= sentence.length; d++) {
    model.arcs.extract(d);
    split.add(model.tagOf(sentence, d), model.arcs.set, sentence.labels[d]);
  }
}
