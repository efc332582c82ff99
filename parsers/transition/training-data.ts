import {
  type Example,
  encodeHeldOut,
  encodeTreebank,
  isFilled,
  labelCandidates,
  sentences,
} from '../../src/encoding/examples.ts';
import { projectivize } from '../../src/treebank/projectivize.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { TrainingRun } from '../parser.ts';
import { columnsRead, compileTemplates, templatesOf } from './features/templates.ts';
import { mirroredExample } from './mirror.ts';
import type { FullTransitionOptions } from './options.ts';
import { transitionSettings } from './settings.ts';
import type { StackSystemName } from './systems/registry.ts';
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
  const { system, direction } = options;
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
  const buildable = system === 'arc-swap' ? encoded.examples : projective(encoded.examples, run);
  const examples = direction === 'left-to-right' ? buildable : buildable.map(mirroredExample);
  const candidates = labelCandidates(encoded, examples);
  return { settings, encoder, labels, candidates, examples };
}

/** Encodes held-out sentences as the training data were. */
export async function readHeldOut(treebank: Treebank, data: TransitionTrainingData): Promise<Example[]> {
  const examples = await encodeHeldOut(treebank, data);
  return data.settings.direction === 'left-to-right' ? examples : examples.map(mirroredExample);
}

/** The examples with every tree made projective. */
export function projective(examples: readonly Example[], run: TrainingRun): Example[] {
  let lifted = 0;
  let arcs = 0;
  const all = examples.map((example) => {
    const heads = example.heads.slice();
    const count = projectivize(heads);
    if (count > 0) lifted++;
    arcs += count;
    return { ...example, heads };
  });
  if (lifted > 0) {
    run.onNotice?.(
      `${sentences(lifted)} made projective for training by moving ${arcs === 1 ? '1 arc' : `${arcs} arcs`} up`,
    );
  }
  return all;
}
