import { z } from 'zod';
import { decisionSchema, explainedSentence } from './shared.ts';

/** Explanations of parsers that build the tree step by step. */

const token = z.int().min(0);

const transitionName = z.strictObject({
  action: z.string(),
  label: z.string().optional(),
});

const builtSoFar = {
  heads: z.array(z.int().min(-1)).describe('the arcs before the step, by token; −1: none yet'),
  action: z.string().describe('what was done'),
  margin: z.number().nullable().describe('by how much it scores above the next best'),
  oracle: transitionName
    .optional()
    .describe('with gold: what leads to the gold tree; left out once that is lost'),
};

const transitionStep = z.strictObject({
  ...builtSoFar,
  stack: z.array(token).describe('the top last'),
  buffer: z.array(token).describe('the front first'),
  label: z.string().optional().describe('of the arc that the step makes'),
  score: z.number().describe('of what was done'),
  actions: z
    .array(
      z.strictObject({
        action: z.string(),
        label: z.string().optional().describe('in beam search: its best label, which its score is with'),
        score: z.number(),
        cost: z.int().optional().describe('with gold and a dynamic oracle: how many gold arcs it loses'),
      }),
    )
    .describe('all that could be done, the best first'),
  labels: z
    .array(z.strictObject({ label: z.string(), score: z.number() }))
    .optional()
    .describe('of the action done: the labels that the arc could have, the best first'),
  beam: z
    .array(
      z.strictObject({
        from: z.int().min(0).describe('its place in the beam one step before'),
        ...transitionName.partial().shape,
        score: z.number(),
        isBest: z.boolean().describe('whether the tree that was found comes of it'),
        isGold: z.boolean().describe('whether the gold tree comes of it'),
      }),
    )
    .optional()
    .describe('the configurations that are in the beam after the step, the best first'),
});

export const transitionSchema = z.strictObject({
  paradigm: z.literal('transition'),
  ...explainedSentence,
  system: z.string(),
  direction: z.enum(['left-to-right', 'right-to-left']),
  beam: z
    .int()
    .min(0)
    .describe('configurations that the search keeps; 0: it takes the best action, then its label'),
  score: z.number().describe('the sum of all steps’ scores'),
  steps: z.array(transitionStep),
  goldLostAt: z
    .int()
    .min(1)
    .optional()
    .describe('with gold: the step that left the way to the gold tree, or at which it fell out of the beam'),
  isGoldBuildable: z.boolean().optional().describe('with gold: whether the system can build the gold tree'),
  decision: z
    .strictObject({
      step: z.int().min(1),
      action: decisionSchema.describe('in beam search with its label'),
      label: decisionSchema.optional(),
    })
    .optional()
    .describe('of the step asked for, what decided'),
});

const rowStep = z.strictObject({
  ...builtSoFar,
  row: z.array(token).describe('the trees that remain, by their roots'),
  focus: z.int().min(0).describe('the place in the row of the left of the two trees looked at'),
  classifier: z
    .string()
    .nullable()
    .describe('the tag whose classifier decided; null: all of them voted, that of the tag being of no use'),
  actions: z.array(
    z.strictObject({
      action: z.string(),
      score: z.number().nullable().describe('null: a classifier that knows one class only gives no scores'),
    }),
  ),
});

export const yamadaMatsumotoSchema = z.strictObject({
  paradigm: z.literal('yamada-matsumoto'),
  ...explainedSentence,
  degree: z.int().describe('of the polynomial kernel: how many features are taken together'),
  steps: z.array(rowStep),
  goldLostAt: z.int().min(1).optional().describe('with gold: the first step that differs from the oracle’s'),
  labels: z
    .array(
      z.strictObject({
        dependent: token,
        label: z.string(),
        scores: z.array(z.strictObject({ label: z.string(), score: z.number().nullable() })),
      }),
    )
    .describe('by arc: the scores of the labels that it could have, the best first'),
  decision: z
    .strictObject({
      step: z.int().min(1),
      action: decisionSchema.describe(
        'by single features: the weight of each set of features is shared among them evenly (Shapley values)',
      ),
    })
    .optional(),
});

export type TransitionExplanation = z.infer<typeof transitionSchema>;
export type TransitionStep = z.infer<typeof transitionStep>;
export type YamadaMatsumotoExplanation = z.infer<typeof yamadaMatsumotoSchema>;
export type RowStep = z.infer<typeof rowStep>;
export type StepsExplanation = TransitionExplanation | YamadaMatsumotoExplanation;
