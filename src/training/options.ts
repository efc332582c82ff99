import { z } from 'zod';
import { MOST_CHUNK } from '../encoding/chunks.ts';
import { liftingSchemes } from '../encoding/lifted-labels.ts';
import { tagColumns } from '../treebank/columns/names.ts';

/** Options that paradigms over encoded sentences have in common (`ExampleOptions`), for their schemas. */
export const encodingOptions = {
  tag: z
    .enum([...tagColumns, 'both'])
    .optional()
    .describe('tag columns that are looked at (default: both, where the file has two different ones)'),
  normalize: z.boolean().default(true).describe('keep the case of forms, and do not merge all numbers'),
  singleRoot: z
    .boolean()
    .optional()
    .describe('exactly one token depends on the root (default: as in the training data)'),
};

/** For parsers that can build projective trees only: how labels tell of arcs that were lifted (`Lifting`). */
export const pseudoProjectiveOption = z
  .enum(['none', ...liftingSchemes])
  .default('none')
  .describe(
    'for projective trees only: what labels tell of the crossing arcs that training moves up, so that parsing can move them back: the relation of their first head, the path to it, or both',
  );

/** For paradigms that learn in epochs. */
export const shuffleOption = z
  .boolean()
  .default(true)
  .describe('do not shuffle the sentences in every epoch');

/** For paradigms that learn in epochs: after which of them they parse. */
export const keepOption = z
  .enum(['last', 'best'])
  .default('last')
  .describe('the epoch to keep: the last, or the one that did best (LAS) on held-out data');
export type Keep = z.infer<typeof keepOption>;

/** For paradigms that learn in epochs: when they are enough, before the last that there may be. */
export const patienceOption = z
  .int()
  .min(1)
  .max(1000)
  .optional()
  .describe(
    'end before the last epoch, with held-out data: after so many in which the score there (LAS) has not risen, or one without a mistake',
  );

/** Whether it depends on held-out data which epoch is the last, or the one to keep. */
export function judgesEpochs({
  patience,
  keep,
}: {
  readonly patience?: number | undefined;
  readonly keep: Keep;
}): boolean {
  return patience !== undefined || keep === 'best';
}

/** How long sentences may be that are learnt from, and the chunks that longer ones are parsed in. */
export function maxLengthOption(tokens: number) {
  return z
    .int()
    .min(1)
    .max(MOST_CHUNK)
    .default(tokens)
    .describe('longer sentences are left out of training, and parsed in chunks of this many tokens');
}
