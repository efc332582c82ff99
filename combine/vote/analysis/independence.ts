import { createHash } from 'node:crypto';
import { z } from 'zod';
import { InputError } from '../../../src/errors.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import type { GoldBallot } from '../ballots.ts';
import type { GoldFile } from '../files/vote-files.ts';

/** Shorter sentences (“Thank you.”) turn up in any two files of one language. */
const SHORTEST = 5;

/** Percent of the sentences that two files of one treebank may share by chance. */
const MOST_SHARED = 5;

/**
 * Whether figures on one file flatter because of what was learnt from another: it is the same file, or more
 * than 5% of its sentences of 5 tokens or more are in the other with the same tree.
 */
export function overlaps(tested: GoldFile, known: GoldFile): boolean {
  return tested.digest === known.digest || sharedSentences(tested.ballots, known.ballots) > MOST_SHARED;
}

/** Percent of the sentences of 5 tokens or more that are, with the same heads, among the others. */
function sharedSentences(tested: readonly GoldBallot[], known: readonly GoldBallot[]): number {
  const keys = new Set(known.map(({ gold }) => keyOf(gold)));
  const long = tested.filter(({ gold }) => gold.length >= SHORTEST);
  const shared = long.filter(({ gold }) => keys.has(keyOf(gold)));
  return long.length === 0 ? 0 : (100 * shared.length) / long.length;
}

function keyOf({ forms, heads }: Sentence): string {
  return `${forms.join(' ')}\n${heads.join(' ')}`;
}

/** What a model's header says of the data that it was trained on. */
const trainedSchema = z.object({ digest: z.string(), limit: z.number().optional() });

/**
 * Throws an `InputError` where a model was trained on these sentences, or the first of them. What it was
 * trained on is known as the digest of a file: the same text with other line ends is recognised, and compressed
 * where the training file was not; a file that was changed otherwise is not.
 */
export function checkNotTrainedOn(
  { name, header }: ModelReader,
  gold: {
    readonly name: string;
    readonly digest: string | undefined;
    readonly sentences: readonly Sentence[];
  },
): void {
  const { data: trained } = trainedSchema.safeParse(header.train);
  if (trained === undefined) return;
  const isWhole = trained.limit === undefined || trained.limit >= gold.sentences.length;
  const digests = textDigests(gold.sentences.slice(0, trained.limit));
  if (!digests.includes(trained.digest) && !(isWhole && gold.digest === trained.digest)) return;
  const problem = `was trained on ${gold.name}: weights have to come from other sentences`;
  throw new InputError(problem, { file: name });
}

/** SHA-256 of the sentences' text, as it stands and with the line ends of either kind. */
function textDigests(sentences: readonly Sentence[]): string[] {
  const texts = sentences.map(({ source, forms }) => source?.text ?? forms.join('\n'));
  const asUnix = texts.map((text) => text.replaceAll('\r\n', '\n'));
  const asWindows = asUnix.map((text) => text.replaceAll('\n', '\r\n'));
  return [texts, asUnix, asWindows].map((some) => {
    const hash = createHash('sha256');
    for (const text of some) hash.update(text);
    return hash.digest('hex');
  });
}
