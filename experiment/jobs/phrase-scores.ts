import { type PhraseReport, scorePhrases } from '../../src/evaluate/parseval/score-phrases.ts';
import type { PhraseScorerName } from '../../src/evaluate/parseval/scorers.ts';
import { type CellResult, type PhraseScores, phraseScorerNames } from './job-result.ts';
import { defined } from './rule-scores.ts';
import type { PhrasePair } from './trees.ts';

/** How good phrase-structure trees are, by every scorer. */
export async function phraseScores(pairs: readonly PhrasePair[]): Promise<CellResult['phrases']> {
  const gold = pairs.map((pair) => ({ tree: pair.gold }));
  const predicted = pairs.map((pair) => ({ tree: pair.predicted }));
  const scores: [PhraseScorerName, PhraseScores][] = [];
  for (const scorer of phraseScorerNames) {
    scores.push([scorer, scoresOf(await scorePhrases(gold, predicted, { scorer }))]);
  }
  return Object.fromEntries(scores) as CellResult['phrases'];
}

function scoresOf(report: PhraseReport): PhraseScores {
  return {
    precision: defined(report.precision),
    recall: defined(report.recall),
    f1: defined(report.f1),
    exactMatch: defined(report.exactMatch),
    taggingAccuracy: defined(report.taggingAccuracy),
    warnings: [...report.warnings],
    sentences: { matched: [...report.f1Counts.correct], brackets: [...report.f1Counts.total] },
  };
}
