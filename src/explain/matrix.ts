import { z } from 'zod';
import { arcSchema, decisionSchema, explainedSentence } from './shared.ts';

/** Explanations of parsers that score every arc, then search for the best tree. */

const token = z.int().min(0);

const chuLiuEdmondsSchema = z.strictObject({
  algorithm: z.literal('chu-liu-edmonds'),
  rootsLast: z
    .boolean()
    .describe('whether the root is a head only where no other is left, for there to be one root'),
  rounds: z.array(
    z.strictObject({
      choices: z
        .array(
          z.strictObject({
            tokens: z.array(token).describe('one token, or those of a contracted cycle'),
            arc: arcSchema.describe('the best arc into them'),
            gain: z.number().describe('its score, less what was counted for cycles before'),
          }),
        )
        .describe('what each token, or contracted cycle, likes best'),
      cycles: z.array(z.array(token)).describe('the cycles that this makes, which are contracted'),
    }),
  ),
  openings: z
    .array(
      z.strictObject({
        cycle: z.array(token),
        enters: arcSchema.describe('the arc from outside into the cycle'),
        drops: arcSchema.describe('the arc of the cycle that gives way to it'),
        cost: z.number().describe('by how much the cycle scores less so, its own cycles opened, too'),
      }),
    )
    .describe('how the cycles were opened, the last one first'),
});

const eisnerSchema = z.strictObject({
  algorithm: z.literal('eisner'),
  spans: z
    .array(
      z.strictObject({
        head: token.describe('the end of the span that is its head'),
        end: token.describe('the other end'),
        isComplete: z.boolean().describe('whole subtrees; else an arc between the ends, with all under it'),
        score: z.number().describe('the sum of its arcs'),
      }),
    )
    .describe('the spans that the best tree is made of, the shortest first'),
});

/** Fields in addition to those of every explanation. */
const matrixFields = {
  decoder: z.string(),
  singleRoot: z.boolean(),
  scores: z
    .array(z.array(z.number().nullable()))
    .describe('scores[head][dependent] of every single arc; null where there can be none'),
  unit: z
    .number()
    .describe(
      'marginals are those of trees whose probability is proportional to the exponential of score / unit',
    ),
  marginals: z.array(z.array(z.number().nullable())).describe('the probability of every arc, like scores'),
  treeScore: z.number().describe('the score of the whole tree'),
  arcs: z
    .array(
      z.strictObject({
        dependent: token,
        head: token,
        label: z.string(),
        score: z.number().describe('of the single arc'),
        runnerUp: z.int().min(0).nullable().describe('the best other head'),
        margin: z
          .number()
          .nullable()
          .describe('above the runner-up: of the arcs, or, where parts are scored, of the whole trees'),
        marginal: z.number(),
      }),
    )
    .describe('the arcs of the tree'),
  search: z
    .discriminatedUnion('algorithm', [chuLiuEdmondsSchema, eisnerSchema])
    .optional()
    .describe('how the best tree was found; left out for searches that are not one of these'),
  arc: z
    .strictObject({
      dependent: token,
      head: decisionSchema,
      label: decisionSchema,
    })
    .optional()
    .describe('of the arc asked for, what decided its head and its label'),
};

export const graphSchema = z.strictObject({
  paradigm: z.literal('graph'),
  ...explainedSentence,
  ...matrixFields,
  order: z.int().min(1).max(3),
  candidates: z
    .array(z.array(token))
    .optional()
    .describe('with order 2 or 3, by token: the heads that the scores leave for the tree'),
  parts: z
    .array(
      z.strictObject({
        kind: z.enum(['arc', 'siblings', 'grandparents', 'grandsiblings']),
        tokens: z.array(token).describe('from the highest to the outermost; 0 below the first: none'),
        score: z.number(),
      }),
    )
    .optional()
    .describe('with order 2 or 3: the parts of the tree, whose scores add up to its own'),
});

export const bigramSchema = z.strictObject({
  paradigm: z.literal('bigram'),
  ...explainedSentence,
  ...matrixFields,
  estimate: z.enum(['interpolated', 'zeman']),
  counts: z
    .array(
      z.strictObject({
        head: token,
        forms: z.int().describe('how often these two forms were an arc of this kind'),
        form: z.int().describe('how often the dependent’s form was seen'),
        tags: z.int().describe('how often these two tags were an arc of this kind'),
        valency: z.int().describe('how often the head’s lemma, a verb’s, had a dependent with this tag'),
        tag: z.int().describe('how often the dependent’s tag was seen'),
        distance: z.int().min(1),
        probability: z
          .number()
          .describe('(λ forms / form + (1 − λ)(tags + valency + 1) / (tag + 1)) / distance'),
      }),
    )
    .optional()
    .describe('of the arc asked for, with Zeman’s estimate: the counts behind each head’s probability'),
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
