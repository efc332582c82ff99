import { createHash } from 'node:crypto';
import { z } from 'zod';
import { InputError, OptionError } from '../../../src/errors.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
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
  const shared = sharedTrees(known);
  for (const { gold } of tested.ballots) shared.add(gold);
  return tested.digest === known.digest || shared.areMany;
}

/** A sentence, of which no more is known than its words. */
type Words = Pick<Sentence, 'length' | 'forms'>;

/** Counts the sentences that are among others with the same tree. */
export function sharedTrees({ ballots }: GoldFile): SharedSentences<Sentence> {
  return new SharedSentences(ballots, wordsAndHeads);
}

/** Counts the sentences that are among others, too. */
export class SharedSentences<S extends Words> {
  private readonly keys: ReadonlySet<string>;
  private shared = 0;
  /** Sentences of 5 tokens or more. */
  long = 0;

  /** @param keyOf what is the same of the same sentences */
  constructor(
    ballots: readonly { readonly gold: S }[],
    private readonly keyOf: (sentence: S) => string,
  ) {
    this.keys = new Set(ballots.map(({ gold }) => keyOf(gold)));
  }

  add(sentence: S): void {
    if (sentence.length < SHORTEST) return;
    this.long++;
    if (this.keys.has(this.keyOf(sentence))) this.shared++;
  }

  /** Whether more than 5% of those of 5 tokens or more are. */
  get areMany(): boolean {
    return 100 * this.shared > MOST_SHARED * this.long;
  }
}

function words({ forms }: Words): string {
  return forms.join(' ');
}

function wordsAndHeads({ forms, heads }: Sentence): string {
  return `${forms.join(' ')}\n${heads.join(' ')}`;
}

/** The sentences that weights are learnt from. */
interface LearntFrom {
  readonly name: string;
  readonly ballots: readonly { readonly gold: Words }[];
}

/** Long sentences of a file that are looked at before its work goes on; the others are with the rest. */
const FIRST_LOOK = 1000;

/**
 * Refuses sentences to vote on that weights were learnt from: more than 5% of those of 5 tokens or more have the
 * same words. Their own trees are not known, so that words are all there is to go by.
 */
export class IndependenceCheck {
  private readonly shared: SharedSentences<Words> | undefined;

  /** @param learntFrom what the weights are learnt from; undefined: from nothing, and nothing is refused */
  constructor(
    private readonly learntFrom: LearntFrom | undefined,
    private readonly file: string,
  ) {
    this.shared = learntFrom && new SharedSentences<Words>(learntFrom.ballots, words);
  }

  /** Throws an `OptionError` as soon as many sentences have been seen, too many of them known. */
  add(sentence: Words): void {
    const { shared } = this;
    shared?.add(sentence);
    if (shared?.long === FIRST_LOOK) this.finish();
  }

  /** Throws an `OptionError` where too many of the sentences are known. */
  finish(): void {
    if (!this.shared?.areMany) return;
    throw new OptionError(
      (option) =>
        `${this.file} has sentences of ${this.learntFrom?.name}, which the weights are learnt from: the vote would be better than it is elsewhere. Weigh by other sentences, or add ${option('crossValidate', 10)}`,
    );
  }
}

/** What a model's header says of the data that it was trained on. */
const trainedSchema = z.object({ digest: z.string(), limit: z.number().optional() });

/** Sentences, and the SHA-256 of the file that they are all of. */
interface KnownText {
  readonly digest: string | undefined;
  readonly sentences: readonly Sentence[];
}

/**
 * Throws an `InputError` where a model was trained on these sentences, or the first of them. What it was
 * trained on is known as the digest of a file: the same text with other line ends is recognised, and compressed
 * where the training file was not; a file that was changed otherwise is not.
 */
export function checkNotTrainedOn(
  { name, header }: ModelReader,
  gold: KnownText & { readonly name: string },
): void {
  for (const record of [header.train].flat()) {
    const { data: trained } = trainedSchema.safeParse(record);
    if (trained !== undefined && isTrainedOn(trained, gold)) {
      const problem = `was trained on ${gold.name}: weights have to come from other sentences`;
      throw new InputError(problem, { file: name });
    }
  }
}

function isTrainedOn(trained: z.infer<typeof trainedSchema>, gold: KnownText): boolean {
  const isWhole = trained.limit === undefined || trained.limit >= gold.sentences.length;
  const digests = textDigests(gold.sentences.slice(0, trained.limit));
  return digests.includes(trained.digest) || (isWhole && gold.digest === trained.digest);
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
