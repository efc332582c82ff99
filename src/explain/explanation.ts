import { z } from 'zod';
import { bigramSchema, graphSchema, networkSchema } from './matrix.ts';
import { explainedSentence, listOf, probability, token } from './shared.ts';
import { transitionSchema, yamadaMatsumotoSchema } from './steps.ts';

const voteSchema = z.strictObject({
  paradigm: z.literal('vote'),
  ...explainedSentence,
  method: z.string(),
  weighting: z.string(),
  members: z.array(
    z.strictObject({
      paradigm: z.string(),
      weight: z.number().nullable().describe('null: weights are per arc, not per member'),
    }),
  ),
  ballots: listOf('by token', {
    dependent: token,
    head: token.describe('the head in the voted tree'),
    label: z.string(),
    confidence: probability.describe('its head’s share of the votes'),
    isOverruled: z.boolean().describe('whether another head has more votes, but would not give a tree'),
    candidates: z.array(
      z.strictObject({
        head: token,
        votes: probability.describe('this head’s share of the votes'),
        arcs: z.array(
          z.strictObject({
            label: z.string().describe('empty: no label'),
            votes: probability,
            members: z.array(token).describe('indices of the members whose trees have it'),
          }),
        ),
      }),
    ),
  }),
  cycles: z.array(z.array(token)).describe('cycles of the heads with the most votes, which the tree avoids'),
});

export type VoteParseExplanation = z.infer<typeof voteSchema>;

const placeInChart = {
  from: z.int().min(1).describe('first word of the span'),
  to: z.int().min(1).describe('last word of the span'),
};

const placeInTree = {
  parent: z.int().min(-1).describe('index in the list; −1: none'),
  ...placeInChart,
};

const derivationNode = z.strictObject({
  label: z.string().nullable().describe('null: an intermediate state without a node in the tree'),
  ...placeInTree,
  rule: z.string().describe('the rule that builds it'),
  ruleScore: z.number().describe('log probability of the rule, or of the word given its tag'),
  score: z.number().describe('sum of the rule scores of its subtree'),
  runnersUp: listOf(
    'other labels for the same words with the scores of their best subtrees, best first by score and prior',
    {
      label: z.string(),
      score: z.number(),
    },
  ),
});

const pcfgSchema = z.strictObject({
  paradigm: z.literal('pcfg'),
  ...explainedSentence,
  grammar: z
    .enum(['plain', 'split'])
    .describe(
      'plain: rules score by their own probability; split: by their log probability in all trees together, the mean over the grammars of all cycles and seeds (max-rule parsing)',
    ),
  brackets: z.string().describe('the tree'),
  score: z.number().nullable().describe('score of the derivation; null if there is none'),
  derivation: z.array(derivationNode).describe('the best derivation, every node before its descendants'),
  chart: listOf(
    'the chart’s cells with phrases, shortest first: up to three best labels each, those of the tree among them',
    {
      ...placeInChart,
      symbols: z.array(
        z.strictObject({
          label: z.string(),
          score: z
            .number()
            .describe('score of its best subtree, or of that in the tree if the tree has this label'),
          rule: z.string().describe('the rule at the top of that subtree'),
          split: token.describe('the first word of the right child; 0: no right child'),
        }),
      ),
    },
  ),
  pruning: z.strictObject({
    beam: z
      .number()
      .nullable()
      .describe('greatest log-score distance from the best phrase over the same words; null: none'),
    kept: z.int().describe('phrases kept'),
    cut: z.int().describe('phrases pruned'),
  }),
});

export type PcfgExplanation = z.infer<typeof pcfgSchema>;
export type ChartCell = PcfgExplanation['chart'][number];
export type DerivationNode = z.infer<typeof derivationNode>;

const spanNode = z.strictObject({
  label: z
    .string()
    .describe('label of the phrase, or of several phrases over the same words, topmost first; ∅: none'),
  ...placeInTree,
  spanScore: z.number().describe('score of the span'),
  gain: z
    .number()
    .describe('the probabilities of its phrases, minus 0.5 each; and a thousandth of the span’s probability'),
  score: z.number().describe('sum of the gains of its subtree'),
  probability: probability.describe('probability of the span in all binary trees together'),
  labels: listOf('its four most probable labels, with their probabilities for this span', {
    label: z.string(),
    probability: probability,
  }),
  splits: listOf('splits of the span, best first, the tree’s own being the first; empty for a single word', {
    split: token.describe('the first word of the right part'),
    cost: z.number().min(0).describe('score of the best tree − score of the best one with this split'),
  }),
});

const spansSchema = z.strictObject({
  paradigm: z.literal('spans'),
  ...explainedSentence,
  brackets: z.string().describe('the tree'),
  score: z.number().describe('score of the tree: the sum of the gains of its spans'),
  probability: probability.describe(
    'probability of the binary tree among all, times the probabilities of its labels',
  ),
  derivation: z
    .array(spanNode)
    .describe('the spans of the best binary tree, every span before the spans within it'),
  chart: listOf('all spans, shortest first', {
    ...placeInChart,
    score: z.number().describe('score of the span'),
    probability: probability.describe('probability of the span'),
    label: z.string().describe('its most probable label'),
  }),
});

export type SpansExplanation = z.infer<typeof spansSchema>;
export type SpanCell = SpansExplanation['chart'][number];
export type SpanNode = z.infer<typeof spanNode>;
/** The explanation of a constituency parser. */
export type PhraseExplanation = PcfgExplanation | SpansExplanation;

const parserSchemas = [
  graphSchema,
  transitionSchema,
  yamadaMatsumotoSchema,
  bigramSchema,
  networkSchema,
  pcfgSchema,
  spansSchema,
  voteSchema,
] as const;

const pipelineSchema = z.strictObject({
  paradigm: z.literal('pipeline'),
  ...explainedSentence,
  parts: z.array(z.string()).describe('the steps of the pipeline, in order'),
  columns: z.record(z.string(), z.array(z.string())).describe('predicted columns, by name and token'),
  alternatives: z
    .array(
      z.array(
        z.strictObject({
          columns: z.record(z.string(), z.string()).describe('tags by column'),
          score: z
            .number()
            .describe('score of the UPOS; of a parser that tags, the log probability of all columns'),
        }),
      ),
    )
    .optional()
    .describe(
      'by token, the best candidates of the tagger or of a parser that tags, the chosen one first; empty if there was no choice; absent without either',
    ),
  parser: z
    .discriminatedUnion('paradigm', parserSchemas)
    .optional()
    .describe('the explanation of the parser or vote; absent without a parser'),
});

/** The JSON schema of explanations of how a parser came to its tree; docs/explain-fields.md lists the fields. */
export const explanationSchema = z.discriminatedUnion('paradigm', [...parserSchemas, pipelineSchema]);
export type PipelineExplanation = z.infer<typeof pipelineSchema>;
export type ParseExplanation = z.infer<typeof explanationSchema>;
