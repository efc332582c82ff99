import { ColumnCounts, scoredColumns } from '../../src/evaluate/attachment/column-counts.ts';
import { type PunctuationRuleName, punctuationRules } from '../../src/evaluate/attachment/punctuation.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { scorePhrases } from '../../src/evaluate/parseval/score-phrases.ts';
import { tokenOutcomes } from '../../src/evaluate/significance/outcomes.ts';
import { AtomicFile } from '../../src/files/atomic-file.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { formatBrackets, parseBrackets } from '../../src/treebank/phrases/brackets.ts';
import type { PhraseTree } from '../../src/treebank/phrases/phrase-tree.ts';
import type { TreebankFormat } from '../../src/treebank/reading/format.ts';
import { isFilled, type Sentence } from '../../src/treebank/sentence.ts';
import { inMemory } from '../../src/treebank/treebanks.ts';
import type { CellResult, JobResult, RuleScores } from '../jobs/job-result.ts';
import { attachmentScores, bracketScores, phraseScorerNames } from '../jobs/job-result.ts';
import type { CellCache } from './cell-cache.ts';

export interface JobContext {
  readonly cache: CellCache;
  /** Processor cores that training may use; scores do not depend on it. */
  readonly cores: number;
  readonly onProgress?: ((share: number) => void) | undefined;
}

interface PhrasePair {
  readonly gold: PhraseTree;
  readonly predicted: PhraseTree;
}

/** What a job predicted for its test sentences. */
interface Trees {
  readonly gold: readonly Sentence[];
  readonly predicted: readonly Sentence[];
  /** One pair per sentence; undefined if the parser or the treebank has no phrase-structure trees. */
  readonly phrases: readonly PhrasePair[] | undefined;
  readonly format: TreebankFormat;
}

/** Collects the trees of a job sentence by sentence. */
export class CollectedTrees implements Trees {
  readonly gold: Sentence[] = [];
  readonly predicted: Sentence[] = [];
  private readonly pairs: PhrasePair[] = [];

  constructor(readonly format: TreebankFormat) {}

  get phrases(): readonly PhrasePair[] | undefined {
    return this.pairs.length > 0 ? this.pairs : undefined;
  }

  add(gold: Sentence, predicted: Sentence, phrases?: PhraseTree): void {
    this.gold.push(gold);
    this.predicted.push(predicted);
    if (gold.phrases && phrases) this.pairs.push({ gold: gold.phrases, predicted: phrases });
  }
}

export interface JobOutput {
  readonly trees: Trees;
  seconds: number;
  parseSeconds: number;
  readonly notices: string[];
}

const BRACKETS = '# brackets = ';

/** Reads the phrase-structure tree that `writeTrees` wrote into a comment of the sentence. */
export function writtenPhrases({ source }: Sentence): PhraseTree | undefined {
  const line = source?.text.split('\n').find((one) => one.startsWith(BRACKETS));
  return line && parseBrackets(line.slice(BRACKETS.length)).next().value?.tree;
}

/** Writes predicted trees as CoNLL-X if the gold file is in that format, else as CoNLL-U; phrases go into a comment. */
export async function writeTrees({ predicted, phrases, format }: Trees, path: string): Promise<void> {
  const columns = format === 'conllx' ? 'conllx' : 'conllu';
  await AtomicFile.writeWhole(path, async (file) => {
    for (const [i, sentence] of predicted.entries()) {
      if (phrases) await file.write(`${BRACKETS}${formatBrackets(phrases[i].predicted)}\n`);
      await file.write(formatSentence(sentence, columns));
    }
  });
}

export async function scoresByRule(trees: Trees): Promise<CellResult['scores']> {
  const scores = {} as CellResult['scores'];
  for (const rule of Object.keys(punctuationRules) as PunctuationRuleName[])
    scores[rule] = await ruleScores(trees, rule);
  return scores;
}

async function ruleScores(trees: Trees, rule: PunctuationRuleName): Promise<RuleScores> {
  const [gold, predicted] = [inMemory(trees.gold, 'gold'), inMemory(trees.predicted, 'predicted')];
  const report = await evaluate(gold, predicted, { punctuation: rule });
  const { uas, las } = await tokenOutcomes(gold, predicted, rule);
  return {
    tokens: report.tokens,
    excluded: report.punctuation.excluded,
    ...jsonFigures(report, attachmentScores),
    warnings: [...report.warnings],
    sentences: {
      tokens: [...uas.sentences.total],
      uas: [...uas.sentences.correct],
      las: [...las.sentences.correct],
    },
  };
}

export async function phraseScores(pairs: readonly PhrasePair[]): Promise<CellResult['phrases']> {
  const gold = pairs.map((pair) => ({ tree: pair.gold }));
  const predicted = pairs.map((pair) => ({ tree: pair.predicted }));
  const scores = {} as NonNullable<CellResult['phrases']>;
  for (const scorer of phraseScorerNames) {
    const report = await scorePhrases(gold, predicted, { scorer });
    const sentences = { matched: [...report.f1Counts.correct], brackets: [...report.f1Counts.total] };
    scores[scorer] = { ...jsonFigures(report, bracketScores), warnings: [...report.warnings], sentences };
  }
  return scores;
}

/** Accuracy of each column of tags or lemmas that the gold sentences have. */
export function tagScores({ gold, predicted }: Pick<Trees, 'gold' | 'predicted'>): JobResult['tags'] {
  const filled = scoredColumns.filter((column) => gold.some((sentence) => isFilled(sentence[column])));
  const counts = new ColumnCounts(filled);
  for (const [i, sentence] of gold.entries()) counts.add(sentence, predicted[i]);
  return Object.fromEntries(counts.percentages().map(([column, score]) => [column, jsonFigure(score)]));
}

/** Null for NaN, which JSON does not have. */
const jsonFigure = (figure: number) => (Number.isNaN(figure) ? null : figure);

function jsonFigures<Name extends string>(report: Readonly<Record<Name, number>>, names: readonly Name[]) {
  const found = names.map((name) => [name, jsonFigure(report[name])]);
  return Object.fromEntries(found) as Record<Name, number | null>;
}
