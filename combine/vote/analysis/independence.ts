import { z } from 'zod';
import { digestOf } from '../../../src/digest.ts';
import { InputError, OptionError } from '../../../src/errors.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { digestedText } from '../../../src/treebank/treebanks.ts';
import type { GoldFile } from '../ballots.ts';

/** Minimum length: shorter sentences (“Thank you.”) occur in any two files of a language. */
const SHORTEST = 5;
/** Percentage of sentences that two files of a treebank may share by chance. */
const MOST_SHARED = 5;

/** Whether two files are the same, or more than 5% of the tested sentences of ≥ 5 tokens occur in both with the same tree. */
export function overlaps(tested: GoldFile, known: GoldFile): boolean {
  const shared = sharedTrees(known);
  for (const { gold } of tested.ballots) shared.add(gold);
  return tested.digest === known.digest || shared.exceedsLimit;
}

type Words = Pick<Sentence, 'length' | 'forms'>;
type KnownWords = { readonly name: string; readonly ballots: readonly { readonly gold: Words }[] };

export function sharedTrees({ ballots }: GoldFile): SharedSentences<Sentence> {
  return new SharedSentences(ballots, wordsAndHeads);
}

class SharedSentences<S extends Words> {
  private readonly keys: ReadonlySet<string>;
  private shared = 0;
  long = 0;

  /** @param keyOf sentences with equal keys are the same */
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

  /** Whether more than 5% of the sentences of at least 5 tokens are in the set. */
  get exceedsLimit(): boolean {
    return 100 * this.shared > MOST_SHARED * this.long;
  }
}

const wordsAndHeads = ({ forms, heads }: Sentence) => `${forms.join(' ')}\n${heads.join(' ')}`;
/** Number of sentences of ≥ 5 tokens after which a first check is made; the last is at the end. */
const FIRST_LOOK = 1000;

/** Refuses a vote if its weights come from sentences with the same words (over 5% of the sentences of ≥ 5 tokens). */
export class IndependenceCheck {
  private readonly shared: SharedSentences<Words> | undefined;

  /** @param learntFrom undefined: the weights are not learned, and nothing is refused */
  constructor(
    private readonly learntFrom: KnownWords | undefined,
    private readonly file: string,
  ) {
    this.shared =
      learntFrom && new SharedSentences<Words>(learntFrom.ballots, ({ forms }) => forms.join(' '));
  }

  add(sentence: Words): void {
    const { shared } = this;
    shared?.add(sentence);
    if (shared?.long === FIRST_LOOK) this.finish();
  }

  finish(): void {
    if (!this.shared?.exceedsLimit) return;
    throw new OptionError(
      (option) =>
        `${this.file} has sentences of ${this.learntFrom?.name}, from which the weights are learned: scores of the vote would be too high. Learn from other sentences, or add ${option('crossValidate', 10)}`,
    );
  }
}

const trainedSchema = z.object({ digest: z.string(), limit: z.number().optional() });

interface KnownText {
  readonly digest: string | undefined;
  readonly sentences: readonly Sentence[];
}

/** Refuses sentences that a model was trained on, known by the digest of their file (with any line ends). */
export function checkNotTrainedOn(
  { name, header }: ModelReader,
  gold: KnownText & { readonly name: string },
): void {
  for (const record of [header.train].flat()) {
    const { data: trained } = trainedSchema.safeParse(record);
    if (trained !== undefined && isTrainedOn(trained, gold)) {
      const problem = `was trained on ${gold.name}: learn the weights from other sentences`;
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
  const texts = sentences.map(digestedText);
  const asUnix = texts.map((text) => text.replaceAll('\r\n', '\n'));
  const asWindows = asUnix.map((text) => text.replaceAll('\n', '\r\n'));
  return [texts, asUnix, asWindows].map(digestOf);
}
