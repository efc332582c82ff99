import { AtomicFile } from '../../../src/files/atomic-file.ts';
import { checkStandardInput } from '../../../src/files/text-file.ts';
import { formatBrackets } from '../../../src/treebank/phrases/brackets.ts';
import { openTreebank, type TreebankFile } from '../../../src/treebank/reading/treebank-file.ts';
import { IndependenceCheck } from '../analysis/independence.ts';
import { checkMemberCount, foldsOf } from '../ballots.ts';
import type { FileOptions, VotedFileOptions, VoteFigures } from '../files/vote-files.ts';
import type { GoldPhraseBallot, PhraseBallot, PhraseWeighting } from './constituent-vote.ts';
import { goldPhraseBallots, learnPhraseWeighting, phraseBallots, votedTree } from './constituent-vote.ts';

interface VotePhraseFilesOptions extends Pick<VotedFileOptions, 'encoding' | 'onProgress'> {
  readonly weighting: PhraseWeighting;
  /** The data that the weights were learned from, if any: a vote on the same sentences is refused. */
  readonly learntFrom?: GoldPhrases | undefined;
}

/** The answers of several parsers for a file with gold trees. */
interface GoldPhrases {
  readonly name: string;
  readonly ballots: readonly GoldPhraseBallot[];
}

export type PhraseVoteFigures = Pick<VoteFigures, 'sentences' | 'tokens'>;

/** Votes on bracketed files, streaming, into a whole file; refuses the sentences of `learntFrom`. */
export async function votePhraseFiles(
  members: readonly TreebankFile[],
  output: string,
  { weighting, learntFrom, encoding, onProgress }: VotePhraseFilesOptions,
): Promise<PhraseVoteFigures> {
  checkMemberCount(members.length);
  const known = learntFrom?.ballots.map((ballot) => ({ gold: tokensOf(ballot) }));
  const words = learntFrom && known && { name: learntFrom.name, ballots: known };
  const independence = new IndependenceCheck(words, members[0].name);
  let sentences = 0;
  return writeVoted(output, encoding, async (add) => {
    for await (const ballot of phraseBallots(members)) {
      independence.add(tokensOf(ballot));
      await add(ballot, weighting);
      onProgress?.(++sentences);
    }
    independence.finish();
  });
}

/** Votes by cross-validation on sentences with gold trees: the result may be scored by these. */
export async function votePhrasesCrossValidated(
  { ballots }: GoldPhrases,
  output: string,
  { folds, encoding }: { readonly folds: number; readonly encoding?: string | undefined },
): Promise<PhraseVoteFigures> {
  const parts = foldsOf(ballots, folds);
  return writeVoted(output, encoding, async (add) => {
    for (const { train, test } of parts) {
      const weighting = await learnPhraseWeighting(train);
      for (const ballot of test) await add(ballot, weighting);
    }
  });
}

async function writeVoted(
  output: string,
  encoding: string | undefined,
  vote: (add: (ballot: PhraseBallot, weighting: PhraseWeighting) => Promise<void>) => Promise<void>,
): Promise<PhraseVoteFigures> {
  const figures = { sentences: 0, tokens: 0 };
  const fill = (file: AtomicFile) =>
    vote(async (ballot, weighting) => {
      await file.write(`${formatBrackets(votedTree(ballot, weighting))}\n`);
      figures.sentences++;
      figures.tokens += ballot.answers[0].forms.length;
    });
  await AtomicFile.writeWhole(output, fill, { encoding });
  return figures;
}

function tokensOf({ answers: [{ forms }] }: PhraseBallot) {
  return { length: forms.length, forms: ['', ...forms] };
}

/** Opens files with brackets; undefined if one of them has dependencies. */
export async function openBracketed(files: readonly string[], { format, encoding }: FileOptions) {
  checkStandardInput(files);
  const opened: TreebankFile[] = [];
  for (const file of files) {
    const treebank = await openTreebank(file, { format, encoding, expect: 'heads' });
    if (treebank.format !== 'brackets') return undefined;
    opened.push(treebank);
  }
  return opened;
}

export async function readGoldPhrases(
  gold: string,
  files: readonly string[],
  { format, encoding }: FileOptions,
): Promise<GoldPhrases> {
  const [known, ...members] = await Promise.all(
    [gold, ...files].map((file) => openTreebank(file, { format, encoding, expect: 'trees' })),
  );
  const ballots: GoldPhraseBallot[] = [];
  for await (const ballot of goldPhraseBallots(known, members)) ballots.push(ballot);
  return { name: gold, ballots };
}
