import { type PunctuationRuleName, punctuationRules } from '../../src/evaluate/attachment/punctuation.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { tokenOutcomes } from '../../src/evaluate/significance/outcomes.ts';
import { inMemory } from '../../src/treebank/in-memory.ts';
import type { CellResult, RuleScores } from './job-result.ts';
import type { Trees } from './trees.ts';

/** How good trees are, under every punctuation rule. */
export async function scoresByRule(trees: Trees): Promise<CellResult['scores']> {
  const scores: [PunctuationRuleName, RuleScores][] = [];
  for (const rule of Object.keys(punctuationRules) as PunctuationRuleName[]) {
    scores.push([rule, await ruleScores(trees, rule)]);
  }
  return Object.fromEntries(scores) as CellResult['scores'];
}

async function ruleScores(trees: Trees, rule: PunctuationRuleName): Promise<RuleScores> {
  const [gold, predicted] = [inMemory(trees.gold, 'gold'), inMemory(trees.predicted, 'predicted')];
  const report = await evaluate(gold, predicted, { punctuation: rule });
  const { uas, las } = await tokenOutcomes(gold, predicted, rule);
  return {
    tokens: report.tokens,
    excluded: report.punctuation.excluded,
    uas: defined(report.uas),
    las: defined(report.las),
    laa: defined(report.laa),
    rootAccuracy: defined(report.rootAccuracy),
    completeRate: defined(report.completeRate),
    labelledCompleteRate: defined(report.labelledCompleteRate),
    warnings: [...report.warnings],
    sentences: {
      tokens: [...uas.sentences.total],
      uas: [...uas.sentences.correct],
      las: [...las.sentences.correct],
    },
  };
}

/** As JSON has it. */
export function defined(figure: number): number | null {
  return Number.isNaN(figure) ? null : figure;
}
