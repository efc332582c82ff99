import {
  type Example,
  encodeHeldOut,
  encodeTreebank,
  isFilled,
  labelCandidates,
} from '../../src/encoding/examples.ts';
import { projectiveExamples } from '../../src/training/projective-examples.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { TrainingRun } from '../parser.ts';
import { columnsRead, compileTemplates, templatesOf } from './features/templates.ts';
import { mirroredExample } from './mirror.ts';
import type { FullTransitionOptions } from './options.ts';
import { transitionSettings } from './settings.ts';
import { type StackSystemName, stackSystems } from './systems/registry.ts';
import type { TransitionModelParts } from './transition-model.ts';

export interface TransitionTrainingData extends TransitionModelParts {
  /** Trees that the system can build. */
  readonly examples: readonly Example[];
}

/** Numbers the sentences of a treebank, and settles what the options left to the data. */
export async function readTrainingData(
  treebank: Treebank,
  options: FullTransitionOptions & { readonly system: StackSystemName },
  run: TrainingRun,
): Promise<TransitionTrainingData> {
  const { direction } = options;
  // Whether there is one root or several, which only the data may tell, has no bearing on what is declared.
  const system = stackSystems[options.system](true);
  const compiled = compileTemplates(templatesOf(system, true));
  const encoded = await encodeTreebank(
    treebank,
    (possible) => columnsRead(compiled, possible),
    { ...options, stem: 'none' },
    run,
  );
  const { encoder, labels, tags, singleRoot } = encoded;
  const settings = transitionSettings.parse({
    ...options,
    tags,
    feats: isFilled('feats', encoder),
    singleRoot,
  });
  const buildable = system.isProjective
    ? projectiveExamples(encoded.examples, run.onNotice)
    : encoded.examples;
  const examples = direction === 'left-to-right' ? buildable : buildable.map(mirroredExample);
  const candidates = labelCandidates(encoded, examples);
  return { settings, encoder, labels, candidates, examples };
}

/** Encodes held-out sentences as the training data were. */
export async function readHeldOut(treebank: Treebank, data: TransitionTrainingData): Promise<Example[]> {
  const examples = await encodeHeldOut(treebank, data);
  return data.settings.direction === 'left-to-right' ? examples : examples.map(mirroredExample);
}
