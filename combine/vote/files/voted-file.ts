import { OptionError } from '../../../src/errors.ts';
import { hasLabels } from '../../../src/evaluate/evaluate.ts';
import { AtomicFile } from '../../../src/files/atomic-file.ts';
import { hasConfidences, withConfidences } from '../../../src/treebank/columns/confidence.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import { columnOf, type Sentence } from '../../../src/treebank/sentence.ts';
import type { Ballot } from '../ballots.ts';
import type { Vote } from '../vote.ts';

export interface VotedFileOptions {
  /** Writes into MISC how sure the vote is of each arc: `Confidence=0.987`. */
  readonly confidence?: boolean | undefined;
  readonly encoding?: string | undefined;
  /** Told now and then how many sentences have been voted on. */
  readonly onProgress?: ((sentences: number) => void) | undefined;
  /** Told beforehand of the first sentence that takes long, `file:line: notice`. */
  readonly onNotice?: ((notice: string) => void) | undefined;
}

export interface VoteFigures {
  readonly sentences: number;
  readonly tokens: number;
  /** Of the tokens: those for which several answers had most votes. */
  readonly ties: number;
  /** Whether labels were voted for that the format of the output has no place for. */
  readonly labelsLost: boolean;
}

/**
 * The sentences voted on, with their new trees and everything else as it was: bracketed trees become CoNLL-U. It
 * appears (`-`: on standard output) as a whole with `commit`, or not at all.
 */
export class VotedFile {
  readonly figures = { sentences: 0, tokens: 0, ties: 0, labelsLost: false as boolean };
  private isTold = false;

  static async create(path: string, options: VotedFileOptions): Promise<VotedFile> {
    return new VotedFile(await AtomicFile.create(path, options), options);
  }

  private constructor(
    private readonly file: AtomicFile,
    private readonly options: VotedFileOptions,
  ) {}

  /** Decides on a ballot and writes its sentence. */
  async add(ballot: Ballot, vote: Vote): Promise<void> {
    const { figures, options } = this;
    const { sentence } = ballot;
    if (!this.isTold && vote.isSlowOn(sentence)) {
      this.isTold = true;
      options.onNotice?.(longNotice(sentence));
    }
    const { tree, confidences, ties } = vote.decide(ballot);
    const format = formatOf(sentence);
    const misc = options.confidence ? withConfidencesIn(sentence, confidences) : undefined;
    await this.file.write(formatSentence(sentence, format, { ...tree, misc }));
    if (format === 'three-column') figures.labelsLost ||= hasLabels({ ...sentence, ...tree });
    figures.sentences += 1;
    figures.tokens += sentence.length;
    figures.ties += ties;
    options.onProgress?.(figures.sentences);
  }

  commit(): Promise<void> {
    return this.file.commit();
  }

  /** Does nothing after `commit`. */
  discard(): Promise<void> {
    return this.file.discard();
  }
}

/** Writes sentences that are in memory, voted on. */
export async function voteOnBallots(
  ballots: Iterable<Ballot>,
  output: string,
  vote: Vote,
  options: VotedFileOptions,
): Promise<VoteFigures> {
  const file = await VotedFile.create(output, options);
  try {
    for (const ballot of ballots) await file.add(ballot, vote);
    await file.commit();
    return file.figures;
  } finally {
    await file.discard();
  }
}

/** The MISC column with confidences; throws `OptionError` if the format has none. */
function withConfidencesIn(sentence: Sentence, confidences: Float64Array): string[] {
  const format = formatOf(sentence);
  if (hasConfidences(format)) return withConfidences(columnOf(sentence, 'misc'), confidences);
  throw new OptionError(
    (option) =>
      `${option('confidence')} goes into MISC, which ${format} has not: name a file of CoNLL-U first`,
  );
}

function formatOf({ source }: Sentence) {
  return source === undefined || source.format === 'brackets' ? 'conllu' : source.format;
}

function longNotice({ source, length }: Sentence): string {
  return `${source?.file}:${source?.line}: ${length} tokens take reparse-eisner long; reparse-cle does not mind`;
}
