import { checkFields } from '../../../src/checks.ts';
import { UsageError } from '../../../src/errors.ts';
import { hasLabels } from '../../../src/evaluate/evaluate.ts';
import { AtomicFile, type OutputOptions } from '../../../src/files/atomic-file.ts';
import { checkStandardInput } from '../../../src/files/text-file.ts';
import { miscWithConfidences, withoutConfidences } from '../../../src/treebank/columns/confidence.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import type { TreebankFormat } from '../../../src/treebank/reading/format.ts';
import { openTreebank, type TreebankFile } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import type { WeightingName } from '../../names.ts';
import { IndependenceCheck } from '../analysis/independence.ts';
import { type Ballot, ballots, foldsOf, type GoldBallot, type GoldFile, goldBallots } from '../ballots.ts';
import { Vote, type VoteOptions, voteFields } from '../vote.ts';
import { MemberAnswers } from '../weights/learn-agreement.ts';
import { calibrateVote, learningOf } from '../weights/learn-weighting.ts';
import type { Paradigms, Weighting } from '../weights/weighting.ts';

export interface FileOptions {
  /** Of all files; default: recognised from the content of each. */
  readonly format?: TreebankFormat | undefined;
  readonly encoding?: string | undefined;
}

export interface VoteFilesOptions extends FileOptions, VotedFileOptions, VoteOptions {
  /** One member per input. */
  readonly weighting: Weighting;
  /** The data that the weights were learned from, if any: a vote on the same sentences is refused. */
  readonly learntFrom?: GoldFile | undefined;
}

/**
 * Votes on 1 to 100 parsers' output files, streaming; words and other columns are the first file's. The output (`-`:
 * standard output) appears as a whole at the end, or not at all; for bracketed trees it is CoNLL-U.
 *
 * @throws InputError if tokens or numbers of sentences differ, naming the first place
 * @throws UsageError if the weights were learned from these sentences
 */
export async function voteFiles(
  inputs: readonly string[],
  output: string,
  options: VoteFilesOptions,
): Promise<VoteFigures> {
  checkFields('voteFiles', options, ['weighting', 'learntFrom', ...fileFields]);
  const { weighting, method, singleRoot, calibration } = options;
  const vote = new Vote(weighting, { method, singleRoot, calibration });
  const members = await openOutputs(inputs, options);
  const independence = new IndependenceCheck(options.learntFrom, inputs[0]);
  return writeVoted(output, { ...options, inputs }, async (add) => {
    for await (const ballot of ballots(members)) {
      independence.add(ballot.sentence);
      await add(ballot, vote);
    }
    independence.finish();
  });
}

/**
 * Reads several parsers' output files, to learn weights before the vote.
 *
 * @throws UsageError for a file that can be read only once
 */
export async function readAnswers(
  inputs: readonly string[],
  options: FileOptions = {},
): Promise<MemberAnswers> {
  checkFields<keyof FileOptions>('readAnswers', options, ['format', 'encoding']);
  const outputs = await openOutputs(inputs, options);
  const once = outputs.find(({ isReadOnce }) => isReadOnce);
  if (once !== undefined)
    throw new UsageError(`${once.name}: weights by agreement need two passes, which takes a file`);
  const answers = new MemberAnswers();
  for await (const ballot of ballots(outputs)) answers.add(ballot);
  return answers;
}

/** Reads gold trees and parsers' output files, for example to learn weights from. */
export async function readGoldBallots(
  gold: string,
  outputs: readonly string[],
  options: FileOptions = {},
): Promise<GoldFile> {
  checkFields<keyof FileOptions>('readGoldBallots', options, ['format', 'encoding']);
  const streamed = await StreamedBallots.open(gold, outputs, options);
  const ballots: GoldBallot[] = [];
  for await (const ballot of streamed) ballots.push(ballot);
  return { name: gold, digest: streamed.digest, ballots };
}

/**
 * Gold ballots that can be iterated any number of times, one in memory at a time: the files are read again, except for
 * input that can be read only once, such as a pipe.
 */
export class StreamedBallots implements AsyncIterable<GoldBallot> {
  /** All ballots, of input that can be read only once. */
  private cached: readonly GoldBallot[] | undefined;

  static async open(
    gold: string,
    outputs: readonly string[],
    options: FileOptions,
  ): Promise<StreamedBallots> {
    checkStandardInput([gold, ...outputs]);
    const treebank = await openTreebank(gold, { ...options, expect: 'trees' });
    return new StreamedBallots(treebank, await openOutputs(outputs, options));
  }

  private constructor(
    private readonly gold: TreebankFile,
    private readonly outputs: readonly TreebankFile[],
  ) {}

  /** SHA-256 of the gold file's bytes; known after one whole pass. */
  get digest(): string | undefined {
    return this.gold.digest;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<GoldBallot> {
    if (this.cached !== undefined) return yield* this.cached;
    const { gold, outputs } = this;
    const isReadOnce = [gold, ...outputs].some((file) => file.isReadOnce);
    const ballots: GoldBallot[] = [];
    for await (const ballot of goldBallots(gold, outputs)) {
      if (isReadOnce) ballots.push(ballot);
      yield ballot;
    }
    if (isReadOnce) this.cached = ballots;
  }
}

/** Opens parsers' output: every token has a head, but there may be cycles, and several roots or none. */
async function openOutputs(files: readonly string[], { format, encoding }: FileOptions) {
  checkStandardInput(files);
  const outputs: TreebankFile[] = [];
  for (const file of files) outputs.push(await openTreebank(file, { format, encoding, expect: 'heads' }));
  return outputs;
}

export interface CrossValidatedVoteOptions extends VotedFileOptions, VoteOptions {
  /** Weighting of the votes; default: as in `EnsembleOptions`. */
  readonly weighting?: WeightingName | undefined;
  /** Paradigms of the members, for the default weighting; default: not known. */
  readonly paradigms?: Paradigms | undefined;
  /** Number of folds, each voted on with weights learned from the others. */
  readonly folds: number;
}

/**
 * Votes on sentences with gold trees by cross-validation: the result may be scored by these trees. Writes the sentences
 * that the members parsed, as `voteFiles` does.
 *
 * @throws InputError for fewer sentences than folds
 */
export async function voteCrossValidated(
  { ballots }: GoldFile,
  output: string,
  { weighting: name, paradigms, folds, ...options }: CrossValidatedVoteOptions,
): Promise<CrossValidatedVoteFigures> {
  checkFields('voteCrossValidated', options, ['weighting', 'paradigms', 'folds', ...fileFields]);
  const { method, singleRoot } = options;
  const voting = { method, singleRoot };
  const parts = foldsOf(ballots, folds);
  const learn = learningOf(name, ballots, paradigms);
  const weightings = new Set<Weighting['name']>();
  const figures = await writeVoted(output, options, async (add) => {
    for (const { train, test } of parts) {
      const calibration = options.confidence ? calibrateVote(learn, train, voting) : undefined;
      const weighting = learn(train);
      weightings.add(weighting.name);
      const vote = new Vote(weighting, { ...voting, calibration });
      for (const ballot of test) await add(ballot, vote);
    }
  });
  return { ...figures, weightings: [...weightings] };
}

export interface VotedFileOptions {
  /** Writes the confidence of each arc into MISC: `Confidence=0.987`. */
  readonly confidence?: boolean | undefined;
  readonly encoding?: string | undefined;
  /** Called now and then with the number of sentences voted on. */
  readonly onProgress?: ((sentences: number) => void) | undefined;
  /** Called before the first slow sentence: `file:line: notice`. */
  readonly onNotice?: ((notice: string) => void) | undefined;
}

const fileFields = [
  ...voteFields,
  ...['format', 'encoding', 'confidence', 'onProgress', 'onNotice'],
] as const satisfies readonly (keyof VotedFileOptions | keyof VoteOptions | keyof FileOptions)[];

export interface VoteFigures {
  readonly sentences: number;
  readonly tokens: number;
  /** Tied tokens (see `Decision`). */
  readonly ties: number;
  /** Whether labels are lost, because the output format has none. */
  readonly labelsLost: boolean;
}

export interface CrossValidatedVoteFigures extends VoteFigures {
  /** Names of the weightings: one, unless the default differs between folds. */
  readonly weightings: readonly Weighting['name'][];
}

/**
 * Writes a file of sentences with voted trees and everything else unchanged; bracketed trees become CoNLL-U. It appears
 * (`-`: on standard output) as a whole, or not at all.
 */
async function writeVoted(
  path: string,
  options: VotedFileOptions & OutputOptions,
  vote: (add: (ballot: Ballot, vote: Vote) => Promise<void>) => Promise<void>,
): Promise<VoteFigures> {
  const figures = { sentences: 0, tokens: 0, ties: 0, labelsLost: false };
  const advice = 'put a CoNLL-U file first';
  let isNoticed = false;
  const fill = (file: AtomicFile) =>
    vote(async (ballot, vote) => {
      const { sentence } = ballot;
      const { source, length } = sentence;
      if (!isNoticed && vote.isSlowOn(sentence)) {
        isNoticed = true;
        const where = `${source?.file}:${source?.line}`;
        options.onNotice?.(`${where}: reparse-eisner is slow on ${length} tokens; reparse-cle is not`);
      }
      const { tree, confidences, ties } = vote.decide(ballot);
      const format = formatOf(sentence);
      const arcs = { arcs: confidences };
      const misc = options.confidence
        ? miscWithConfidences(sentence, arcs, format, () => advice)
        : withoutConfidences(sentence.misc, ['arcs']);
      await file.write(formatSentence(sentence, format, { ...tree, misc }));
      if (format === 'three-column') figures.labelsLost ||= hasLabels({ ...sentence, ...tree });
      figures.sentences += 1;
      figures.tokens += length;
      figures.ties += ties;
      options.onProgress?.(figures.sentences);
    });
  await AtomicFile.writeWhole(path, fill, options);
  return figures;
}

export function voteOnBallots(
  ballots: Iterable<Ballot>,
  output: string,
  vote: Vote,
  options: VotedFileOptions,
): Promise<VoteFigures> {
  return writeVoted(output, options, async (add) => {
    for (const ballot of ballots) await add(ballot, vote);
  });
}

function formatOf({ source }: Sentence) {
  return source === undefined || source.format === 'brackets' ? 'conllu' : source.format;
}
