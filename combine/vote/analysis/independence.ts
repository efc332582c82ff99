import { createHash } from 'node:crypto';
import { z } from 'zod';
import { InputError, OptionError } from '../../../src/errors.ts';
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

/** Long sentences of a file that are looked at before its work goes on; the others are with the rest. */
const FIRST_LOOK = 1000;

/**
 * Refuses sentences to vote on that weights were learnt from: more than 5% of those of 5 tokens or more have the
 * same words. Their own trees are not known, so that words are all there is to go by.
 */
export class IndependenceCheck {
  private readonly known: ReadonlySet<string>;
  private long = 0;
  private shared = 0;

  /** @param learntFrom what the weights are learnt from; undefined: from nothing, and nothing is refused */
  constructor(
    private readonly learntFrom: GoldFile | undefined,
    private readonly file: string,
  ) {
    this.known = new Set(learntFrom?.ballots.map(({ gold }) => gold.forms.join(' ')));
  }

  /** Throws an `OptionError` as soon as many sentences have been seen, too many of them known. */
  add({ length, forms }: Pick<Sentence, 'length' | 'forms'>): void {
    if (this.learntFrom === undefined || length < SHORTEST) return;
    this.long++;
    if (this.known.has(forms.join(' '))) this.shared++;
    if (this.long === FIRST_LOOK) this.finish();
  }

  /** Throws an `OptionError` where too many of the sentences are known. */
  finish(): void {
    const { file, learntFrom } = this;
    if (learntFrom === undefined || 100 * this.shared <= MOST_SHARED * this.long) return;
    throw new OptionError(
      (option) =>
        `${file} has sentences of ${learntFrom.name}, which the weights are learnt from: the vote would be better than it is elsewhere. Weigh by other sentences, or add ${option('crossValidate', 10)}`,
    );
  }
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
