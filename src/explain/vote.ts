import { z } from 'zod';
import { explainedSentence } from './shared.ts';

/** Explanations of votes. */

const token = z.int().min(0);

export const voteSchema = z.strictObject({
  paradigm: z.literal('vote'),
  ...explainedSentence,
  method: z.string(),
  weighting: z.string(),
  members: z.array(
    z.strictObject({
      paradigm: z.string(),
      weight: z.number().nullable().describe('null: weights are learnt for arcs, not for members'),
    }),
  ),
  ballots: z
    .array(
      z.strictObject({
        dependent: token,
        head: token.describe('the head in the voted tree'),
        label: z.string(),
        confidence: z.number().min(0).max(1).describe('the share of the votes that its head has'),
        isOverruled: z
          .boolean()
          .describe('whether another head has more votes, which would not have made a tree'),
        candidates: z.array(
          z.strictObject({
            head: token,
            votes: z.number().min(0).max(1).describe('the share of all votes that this head has'),
            arcs: z.array(
              z.strictObject({
                label: z.string().describe('empty: without a label'),
                votes: z.number().min(0).max(1),
                members: z.array(z.int().min(0)).describe('who gives it, by place in the list of members'),
              }),
            ),
          }),
        ),
      }),
    )
    .describe('by token'),
  cycles: z
    .array(z.array(token))
    .describe('the cycles that the heads with most votes make, which the tree does without'),
});

export type VoteParseExplanation = z.infer<typeof voteSchema>;
