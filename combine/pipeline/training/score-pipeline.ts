import { retokenize } from '../../../annotators/tokenizer/training/paragraphs.ts';
import type { AlignedMetric, TextScores } from '../../../src/evaluate/attachment/ud-counts.ts';
import { scoreText } from '../../../src/evaluate/attachment/ud-counts.ts';
import { Turns } from '../../../src/threads/scheduling.ts';
import type { NamedScores } from '../../../src/training/training-run.ts';
import type { Sentence, Treebank } from '../../../src/treebank/sentence.ts';
import type { Pipeline } from '../pipeline.ts';

/** Scores of a pipeline: F1 in percent, counted as by UD's `eval.py`. */
export interface PipelineScores {
  /** From raw text; absent without a tokenizer. */
  readonly text?: MetricScores | undefined;
  /** From gold tokens. */
  readonly tokens: MetricScores;
}

export type MetricScores = Readonly<Partial<Record<AlignedMetric, number>>>;

const segmentation = ['Tokens', 'Sentences', 'Words'] as const;
const columns = { upos: 'UPOS', xpos: 'XPOS', feats: 'UFeats', lemmas: 'Lemmas' } as const;

/** Scores a pipeline on gold trees, from raw text if it has a tokenizer, and from gold tokens. */
export async function scorePipeline(pipeline: Pipeline, gold: Treebank, signal?: AbortSignal) {
  const found = Object.entries(columns).flatMap(([column, metric]) =>
    pipeline.fills(column as keyof typeof columns) ? [metric] : [],
  );
  const metrics = [...found, 'UAS', 'LAS'] as const;
  const tokens = await scoreText(gold, parsed(pipeline, gold, signal), signal);
  const { tokenizer } = pipeline;
  if (tokenizer === undefined) return { tokens: named(tokens, metrics) };
  const text = await scoreText(gold, parsed(pipeline, retokenize(tokenizer, gold), signal), signal);
  return { text: named(text, [...segmentation, ...metrics]), tokens: named(tokens, metrics) };
}

/** Notifies that a vote is scored on the trees that its weights were learnt from. */
export function noteLearntWeights(
  { vote }: Pipeline,
  onNotice: ((notice: string) => void) | undefined,
): void {
  const { name = 'equal' } = vote?.weighting ?? {};
  if (!learntFromGold.some((learnt) => learnt === name)) return;
  onNotice?.(
    'the weights of the vote were learnt from the sentences that it is scored on: the scores are too high',
  );
}

const learntFromGold = ['uas', 'las', 'tag', 'learnt'] as const;

/** The scores with names such as `text LAS`, for the header of a model. */
export function namedScores(scores: PipelineScores): NamedScores {
  const from = (source: string, all: MetricScores = {}) =>
    Object.entries(all).map(([metric, value]) => [`${source} ${metric}`, value] as const);
  return Object.fromEntries([...from('text', scores.text), ...from('tokens', scores.tokens)]);
}

function named(scores: TextScores, metrics: readonly AlignedMetric[]): MetricScores {
  return Object.fromEntries(metrics.map((metric) => [metric, scores[metric].f1]));
}

async function* parsed(
  pipeline: Pipeline,
  sentences: AsyncIterable<Sentence>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Sentence> {
  const parser = pipeline.sentenceParser();
  const turns = new Turns(signal);
  for await (const sentence of sentences) {
    const { columns, heads, labels } = parser.parse(sentence);
    yield { ...sentence, ...columns, heads, labels };
    if (turns.isDue) await turns.give();
  }
}
