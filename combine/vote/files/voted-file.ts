import { OptionError } from '../../../src/errors.ts';
import { hasLabels } from '../../../src/evaluate/evaluate.ts';
import { AtomicFile } from '../../../src/files/atomic-file.ts';
import { hasConfidences, withConfidences } from '../../../src/treebank/columns/confidence.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import { columnOf, type Sentence } from '../../../src/treebank/sentence.ts';
import type { Ballot } from '../ballots.ts';
import type { Vote } from '../vote.ts';

export interface VotedFileOptions {
  /** Writes the confidence of each arc into MISC: `Confidence=0.987`. */
  readonly confidence?: boolean | undefined;
  readonly encoding?: string | undefined;
  /** Called now and then with the number of sentences voted on. */
  readonly onProgress?: ((sentences: number) => void) | undefined;
  /** Called before the first slow sentence: `file:line: notice`. */
  readonly onNotice?: ((notice: string) => void) | undefined;
}

export interface VoteFigures {
  readonly sentences: number;
  readonly tokens: number;
  /** Tied tokens (see `Decision`). */
  readonly ties: number;
  /** Whether labels are lost, because the output format has none. */
  readonly labelsLost: boolean;
}

/**
 * An output file of sentences with voted trees and everything else unchanged; bracketed trees become CoNLL-U. It appears
 * (`-`: on standard output) as a whole, or not at all.
 */
export class VotedFile {
  readonly figures = { sentences: 0, tokens: 0, ties: 0, labelsLost: false as boolean };
  private isTold = false;

  static async write(
    path: string,
    options: VotedFileOptions,
    fill: (file: VotedFile) => Promise<void>,
  ): Promise<VoteFigures> {
    const file = await AtomicFile.create(path, options);
    try {
      const voted = new VotedFile(file, options);
      await fill(voted);
      await file.commit();
      return voted.figures;
    } finally {
      await file.discard();
    }
  }

  private constructor(
    private readonly file: AtomicFile,
    private readonly options: VotedFileOptions,
  ) {}

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
}

export function voteOnBallots(
  ballots: Iterable<Ballot>,
  output: string,
  vote: Vote,
  options: VotedFileOptions,
): Promise<VoteFigures> {
  return VotedFile.write(output, options, async (file) => {
    for (const ballot of ballots) await file.add(ballot, vote);
  });
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
