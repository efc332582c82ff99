import { hasLabels } from '../../../src/evaluate/evaluate.ts';
import { AtomicFile } from '../../../src/files/atomic-file.ts';
import { checkStandardInput } from '../../../src/files/text-file.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import type { TreebankFormat } from '../../../src/treebank/reading/format.ts';
import { openTreebank, type TreebankFile } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { ballots, type GoldBallot, goldBallots } from '../ballots.ts';
import { Vote, type VoteOptions } from '../vote.ts';
import type { Weighting } from '../weights/weighting.ts';

/** How files are read and written. */
export interface FileOptions {
  /** Of all files; by default each is recognised from its content. */
  readonly format?: TreebankFormat | undefined;
  readonly encoding?: string | undefined;
}

export interface VoteFilesOptions extends FileOptions, VoteOptions {
  /** As many weights as there are inputs. */
  readonly weighting: Weighting;
  /** Told now and then how many sentences have been voted on. */
  readonly onProgress?: ((sentences: number) => void) | undefined;
  /** Told beforehand of the first sentence that takes long, `file:line: notice`. */
  readonly onNotice?: ((notice: string) => void) | undefined;
}

/** Tokens from which on re-parsing by Eisner's algorithm, whose time is cubic, takes a quarter of a minute. */
const LONG = 3000;

export interface VoteFigures {
  readonly sentences: number;
  readonly tokens: number;
  /** Of the tokens: those for which several arcs had most votes. */
  readonly ties: number;
  /** Whether labels were voted for that the format of the output has no place for. */
  readonly labelsLost: boolean;
}

/**
 * Puts 1 to 100 parsers' output files to the vote, streaming: the first one's words and other columns are
 * kept as they are. The output (`-`: standard output) appears as a whole when all is done, or not at all; of
 * bracketed trees it is CoNLL-U.
 *
 * @throws InputError where tokens or the numbers of sentences differ, naming the first place
 */
export async function voteFiles(
  inputs: readonly string[],
  output: string,
  options: VoteFilesOptions,
): Promise<VoteFigures> {
  const members = await openOutputs(inputs, options);
  const format = members[0].format === 'brackets' ? 'conllu' : members[0].format;
  const vote = new Vote(options.weighting, options);
  const file = await AtomicFile.create(output, options);
  const figures = { sentences: 0, tokens: 0, ties: 0, labelsLost: false };
  let isTold = options.method !== 'reparse-eisner';
  try {
    for await (const ballot of ballots(members)) {
      if (!isTold && ballot.sentence.length >= LONG) {
        isTold = true;
        options.onNotice?.(longNotice(ballot.sentence));
      }
      const tree = vote.decide(ballot);
      await file.write(formatSentence(ballot.sentence, format, tree));
      if (format === 'three-column') figures.labelsLost ||= hasLabels({ ...ballot.sentence, ...tree });
      figures.sentences += 1;
      figures.tokens += ballot.sentence.length;
      figures.ties += vote.ties;
      options.onProgress?.(figures.sentences);
    }
    await file.commit();
    return figures;
  } finally {
    await file.discard();
  }
}

function longNotice({ source, length }: Sentence): string {
  return `${source?.file}:${source?.line}: ${length} tokens take reparse-eisner long; reparse-cle does not mind`;
}

/** What several parsers say of the sentences of a file whose trees are known. */
export interface GoldFile {
  readonly name: string;
  /** SHA-256 of its bytes. */
  readonly digest: string | undefined;
  readonly ballots: readonly GoldBallot[];
}

/** Reads right trees and parsers' output files: to learn weights from, or to explain a vote. */
export async function readGoldBallots(
  gold: string,
  outputs: readonly string[],
  options: FileOptions = {},
): Promise<GoldFile> {
  checkStandardInput([gold, ...outputs]);
  const treebank = await openTreebank(gold, { ...options, expect: 'trees' });
  const all: GoldBallot[] = [];
  for await (const ballot of goldBallots(treebank, await openOutputs(outputs, options))) all.push(ballot);
  return { name: gold, digest: treebank.digest, ballots: all };
}

/** Opens parsers' output: every token has a head, but there may be cycles, several roots or none. */
export async function openOutputs(
  files: readonly string[],
  { format, encoding }: FileOptions,
): Promise<TreebankFile[]> {
  checkStandardInput(files);
  const outputs: TreebankFile[] = [];
  for (const file of files) outputs.push(await openTreebank(file, { format, encoding, expect: 'heads' }));
  return outputs;
}
