import { z } from 'zod';
import { arcSchema, decisionSchema, explainedSentence, listOf, token } from './shared.ts';

/** Explanations of parsers that score every arc, then search for the best tree. */

const chuLiuEdmondsSchema = z.strictObject({
  algorithm: z.literal('chu-liu-edmonds'),
  rounds: z.array(
    z.strictObject({
      choices: listOf('the best incoming arc of each token or contracted cycle', {
        tokens: z.array(token).describe('one token, or the tokens of a contracted cycle'),
        arc: arcSchema.describe('the best incoming arc'),
        gain: z.number().describe('its score, less the scores of cycle arcs that it replaces'),
      }),
      cycles: z.array(z.array(token)).describe('the resulting cycles, which are contracted'),
    }),
  ),
  openings: listOf('how the cycles were expanded, the last one first', {
    cycle: z.array(token),
    enters: arcSchema.describe('the arc from outside into the cycle'),
    drops: arcSchema.describe('the arc of the cycle that it replaces'),
    cost: z.number().describe('loss of score within the cycle, nested cycles included'),
  }),
  oneRoot: z
    .strictObject({
      roots: z.array(token).describe('the roots of the tree that the rounds and openings find'),
      changes: listOf('by dependent; the costs add up to the loss of score', {
        dependent: token,
        from: token.describe('head in the tree with several roots'),
        to: token.describe('head in the tree with one root'),
        cost: z.number().describe('score of the first arc − score of the second'),
      }),
    })
    .optional()
    .describe('how the tree changes so that it has a single root; absent if it has one already'),
});

const eisnerSchema = z.strictObject({
  algorithm: z.literal('eisner'),
  spans: listOf('the spans of the best tree, shortest first', {
    head: token.describe('the end of the span that is its head'),
    end: token.describe('the other end'),
    isComplete: z
      .boolean()
      .describe(
        'complete span (of complete subtrees); false: incomplete (an arc between the ends, with the words between)',
      ),
    score: z.number().describe('the sum of its arcs'),
  }),
});

const matrixFields = {
  decoder: z.string(),
  singleRoot: z.boolean(),
  scores: z
    .array(z.array(z.number().nullable()))
    .describe(
      'scores[head][dependent] of single arcs (with order 2 or 3: of the first-order parser that prunes heads); null: impossible',
    ),
  unit: z
    .number()
    .describe('marginals assume tree probabilities proportional to exp(score / unit), by scores'),
  marginals: z.array(z.array(z.number().nullable())).describe('probability of every arc, laid out as scores'),
  treeScore: z.number().describe('score of the tree'),
  arcs: listOf('the arcs of the tree', {
    dependent: token,
    head: token,
    label: z.string(),
    score: z.number().describe('score of the single arc'),
    runnerUp: token.nullable().describe('the second-best head'),
    margin: z
      .number()
      .nullable()
      .describe(
        'difference to the runner-up: of the arcs; with order 2 or 3, what the tree loses if this head alone changes, also where no such tree may be built',
      ),
    marginal: z.number(),
  }),
  search: z
    .discriminatedUnion('algorithm', [chuLiuEdmondsSchema, eisnerSchema])
    .optional()
    .describe('how the best tree was found; absent for other searches'),
  arc: z
    .strictObject({ dependent: token, head: decisionSchema, label: decisionSchema })
    .optional()
    .describe('for the requested arc: the decisions on head and label'),
};

export const graphSchema = z.strictObject({
  paradigm: z.literal('graph'),
  ...explainedSentence,
  ...matrixFields,
  order: z.int().min(1).max(3),
  candidates: z
    .array(z.array(token))
    .optional()
    .describe('with order 2 or 3, by token: the candidate heads left by first-order pruning'),
  parts: listOf('with order 2 or 3: the parts of the tree, whose scores add up to the tree’s', {
    kind: z.enum(['arc', 'siblings', 'grandparents', 'grandsiblings']),
    tokens: z.array(token).describe('from the highest to the outermost; 0 after the first: none'),
    score: z.number(),
  }).optional(),
});

export const bigramSchema = z.strictObject({
  paradigm: z.literal('bigram'),
  ...explainedSentence,
  ...matrixFields,
  estimate: z.enum(['interpolated', 'zeman']),
  counts: listOf('for the requested arc, with Zeman’s estimate: the counts behind each head’s probability', {
    head: token,
    forms: z.int().describe('count of the two forms as an arc of this kind'),
    form: z.int().describe('count of the dependent’s form'),
    tags: z.int().describe('count of the two tags as an arc of this kind'),
    valency: z.int().describe('count of dependents with this tag of the head’s lemma, if it is a verb'),
    tag: z.int().describe('count of the dependent’s tag'),
    distance: z.int().min(1),
    probability: z.number().describe('(λ forms / form + (1 − λ)(tags + valency + 1) / (tag + 1)) / distance'),
  }).optional(),
});

export const networkSchema = z.strictObject({
  paradigm: z.literal('network'),
  ...explainedSentence,
  ...matrixFields,
});

export type ChuLiuEdmondsTrace = z.infer<typeof chuLiuEdmondsSchema>;
export type EisnerSpans = z.infer<typeof eisnerSchema>;
export type GraphExplanation = z.infer<typeof graphSchema>;
export type BigramExplanation = z.infer<typeof bigramSchema>;
export type NetworkExplanation = z.infer<typeof networkSchema>;
export type MatrixExplanation = GraphExplanation | BigramExplanation | NetworkExplanation;
