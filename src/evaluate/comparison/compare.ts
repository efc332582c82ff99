import { UsageError } from '../../errors.ts';
import { inMemory } from '../../treebank/in-memory.ts';
import type { DependencyTree, Sentence, Treebank } from '../../treebank/sentence.ts';
import { agreement } from '../agreement.ts';
import { type PunctuationChoice, punctuationRules, scoredTokens } from '../attachment/punctuation.ts';
import { type BreakdownName, breakdownNames } from '../breakdowns/breakdown.ts';
import type { ComparedSentence } from '../compared-sentence.ts';
import { type EvaluationReport, evaluate, hasLabels } from '../evaluate.ts';
import { OutcomeRecorder, type TokenOutcomes } from '../significance/token-outcomes.ts';
import { type Comparison, testedScores } from './comparison.ts';
import { differingSentences } from './differing-sentences.ts';
import { errorAnalysis } from './errors.ts';
import { parserNames } from './names.ts';
import { type TestOptions, testParsers } from './significance.ts';

export interface CompareOptions extends TestOptions {
  /** One a parser; default: what tells their files' names apart. */
  readonly names?: readonly string[] | undefined;
  /** Which tokens are left out; default `include`: none. */
  readonly punctuation?: PunctuationChoice | undefined;
  /** Breakdowns wanted; default all. */
  readonly by?: readonly BreakdownName[] | undefined;
  /** Entries in each list of errors and sentences; default all. */
  readonly limit?: number | undefined;
}

export interface ComparedTreebanks {
  readonly comparison: Comparison;
  /** Every sentence of the treebank, with all parsers' trees. */
  readonly sentences: readonly ComparedSentence[];
}

/**
 * Compares two or more parsers' trees of the same gold sentences. Gold is read once and kept, of the parsers'
 * output the heads and labels.
 *
 * Throws `InputError` where tokens or the number of sentences differ, or nothing is there to score;
 * `UsageError` for fewer than two parsers, or names that are too few or not different.
 */
export async function compare(
  gold: Treebank,
  predicted: readonly Treebank[],
  options: CompareOptions = {},
): Promise<ComparedTreebanks> {
  if (predicted.length < 2) throw new UsageError('expected at least two parsers to compare');
  const names = parserNames(
    predicted.map(({ name }) => name),
    options.names,
  );
  const { limit, by = breakdownNames, punctuation } = options;
  const goldSentences: Sentence[] = [];
  for await (const sentence of gold) goldSentences.push(sentence);
  const kept = inMemory(goldSentences, gold.name);
  const outputs: ParserOutput[] = [];
  for (const output of predicted) outputs.push(await readOutput(kept, output, { by, punctuation }));
  const sentences = compared(goldSentences, outputs);
  const labelled = goldSentences.some(hasLabels);
  const { significance, intervals } = await testParsers(
    outputs.map((_, parser) => outcomesOf(sentences, parser)),
    labelled ? testedScores : ['uas'],
    options,
  );
  const comparison: Comparison = {
    gold: gold.name,
    labelled,
    parsers: outputs.map(({ report }, i) => ({ name: names[i], report, intervals: intervals[i] })),
    significance,
    errors: errorAnalysis(sentences, outputs.length, { limit, labelled }),
    agreement: agreement(sentences, outputs.length),
    sentences: differingSentences(sentences, { limit, labelled }),
  };
  return { comparison, sentences };
}

interface ParserOutput {
  readonly report: EvaluationReport;
  readonly trees: readonly DependencyTree[];
}

/** Scores a parser's trees and keeps them, in one pass. */
async function readOutput(
  gold: Treebank,
  output: Treebank,
  options: { readonly by: readonly BreakdownName[]; readonly punctuation: PunctuationChoice | undefined },
): Promise<ParserOutput> {
  const trees: DependencyTree[] = [];
  const remembering: Treebank = {
    name: output.name,
    async *[Symbol.asyncIterator]() {
      for await (const sentence of output) {
        trees.push({ heads: sentence.heads, labels: sentence.labels });
        yield sentence;
      }
    },
  };
  return { report: await evaluate(gold, remembering, options), trees };
}

function compared(gold: readonly Sentence[], outputs: readonly ParserOutput[]): ComparedSentence[] {
  const rule = punctuationRules[outputs[0].report.punctuation.rule];
  return gold.map((sentence, i) => ({
    gold: sentence,
    trees: outputs.map(({ trees }) => trees[i]),
    scored: scoredTokens(sentence, rule),
  }));
}

function outcomesOf(sentences: readonly ComparedSentence[], parser: number): TokenOutcomes {
  const recorder = new OutcomeRecorder();
  for (const { gold, trees, scored } of sentences) recorder.add(gold, trees[parser], scored);
  return recorder.outcomes();
}
