import type { Example } from '../../encoding/examples.ts';
import { NONE } from '../systems/row-configuration.ts';
import type { YamadaMatsumotoModel } from './model.ts';
import { SplitExamples, type TagExamples } from './split-examples.ts';

/** The actions that build gold trees, which must be projective, split by the tag of the left node in focus. */
export function actionExamples(model: YamadaMatsumotoModel, sentences: readonly Example[]): TagExamples[] {
  const split = new SplitExamples();
  for (const sentence of sentences) addActions(model, sentence, split);
  return split.finish();
}

function addActions(model: YamadaMatsumotoModel, sentence: Example, split: SplitExamples): void {
  const { system, window, configuration, oracle } = model;
  window.prepare(sentence);
  oracle.start(sentence);
  system.start(configuration, sentence.length);
  while (!system.isComplete(configuration)) {
    const kind = oracle.next(configuration);
    if (kind === NONE) throw new Error('a tree that the transition system cannot build');
    window.extract(configuration);
    split.add(model.tagOf(sentence, configuration.row[configuration.focus]), window.set, kind);
    system.apply(configuration, kind, 0);
  }
}

/** The labels of the gold trees' arcs, split by the tag of the dependent. */
export function labelExamples(model: YamadaMatsumotoModel, sentences: readonly Example[]): TagExamples[] {
  const split = new SplitExamples();
  for (const sentence of sentences) {
    model.arcs.prepare(sentence, sentence.heads);
    for (let d = 1; d <= sentence.length; d++) {
      model.arcs.extract(d);
      split.add(model.tagOf(sentence, d), model.arcs.set, sentence.labels[d]);
    }
  }
  return split.finish();
}
