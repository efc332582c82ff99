import { z } from 'zod';
import { decisionSchema, explainedSentence, listOf, token } from './shared.ts';

/** Explanations of parsers that build the tree step by step. */

const transitionName = z.strictObject({ action: z.string(), label: z.string().optional() });

const builtSoFar = {
  heads: z.array(z.int().min(-1)).describe('heads before the step, by token; −1: none yet'),
  action: z.string().describe('the action taken'),
  margin: z.number().nullable().describe('score difference to the next best action'),
  oracle: transitionName
    .optional()
    .describe('with gold: the action that leads to the gold tree; absent once it is lost'),
};

const transitionStep = z.strictObject({
  ...builtSoFar,
  stack: z.array(token).describe('top last'),
  buffer: z.array(token).describe('front first'),
  label: z.string().optional().describe('label of the new arc'),
  score: z.number().describe('score of the action taken'),
  actions: listOf('all possible actions, best first', {
    action: z.string(),
    label: z.string().optional().describe('in beam search: its best label, included in the score'),
    score: z.number(),
    cost: z.int().optional().describe('with gold and a dynamic oracle: number of gold arcs that it loses'),
  }),
  labels: listOf('of the action taken: the possible labels, best first', {
    label: z.string(),
    score: z.number(),
  }).optional(),
  beam: listOf('the beam after the step, best first', {
    from: z.int().min(0).describe('its index in the beam of the step before'),
    ...transitionName.partial().shape,
    score: z.number(),
    isBest: z.boolean().describe('whether it leads to the tree found'),
    isGold: z.boolean().describe('whether it leads to the gold tree'),
  }).optional(),
});

export const transitionSchema = z.strictObject({
  paradigm: z.literal('transition'),
  ...explainedSentence,
  system: z.string(),
  direction: z.enum(['left-to-right', 'right-to-left']),
  beam: z.int().min(0).describe('beam size; 0: greedy, the best action and then its label'),
  score: z.number().describe('sum of the steps’ scores'),
  steps: z.array(transitionStep),
  goldLostAt: z
    .int()
    .min(1)
    .optional()
    .describe('with gold: the step at which the gold tree was lost, or fell out of the beam'),
  isGoldBuildable: z.boolean().optional().describe('with gold: whether the system can build the gold tree'),
  decision: z
    .strictObject({
      step: z.int().min(1),
      action: decisionSchema.describe('in beam search, with its label'),
      label: decisionSchema.optional(),
    })
    .optional()
    .describe('for the requested step: the decisions'),
});

const rowStep = z.strictObject({
  ...builtSoFar,
  row: z.array(token).describe('the remaining trees, by their roots'),
  focus: z.int().min(0).describe('index in the row of the left one of the two trees in focus'),
  classifier: z
    .string()
    .nullable()
    .describe(
      'the tag whose classifier decided; null: all classifiers voted, since the one of the tag is unusable',
    ),
  actions: z.array(
    z.strictObject({
      action: z.string(),
      score: z.number().nullable().describe('null: a classifier with one class gives no scores'),
    }),
  ),
});

export const yamadaMatsumotoSchema = z.strictObject({
  paradigm: z.literal('yamada-matsumoto'),
  ...explainedSentence,
  degree: z.int().describe('degree of the polynomial kernel'),
  steps: z.array(rowStep),
  goldLostAt: z.int().min(1).optional().describe('with gold: the first step that differs from the oracle'),
  labels: listOf('by arc: the scores of its possible labels, best first', {
    dependent: token,
    label: z.string(),
    scores: z.array(z.strictObject({ label: z.string(), score: z.number().nullable() })),
  }),
  decision: z
    .strictObject({
      step: z.int().min(1),
      action: decisionSchema.describe(
        'by feature: the weight of each set of features is divided evenly among them (Shapley values)',
      ),
    })
    .optional(),
});

export type TransitionExplanation = z.infer<typeof transitionSchema>;
export type TransitionStep = z.infer<typeof transitionStep>;
export type YamadaMatsumotoExplanation = z.infer<typeof yamadaMatsumotoSchema>;
export type RowStep = z.infer<typeof rowStep>;
export type StepsExplanation = TransitionExplanation | YamadaMatsumotoExplanation;
