import { z } from 'zod';
import { bigramSchema, graphSchema, networkSchema } from './matrix.ts';
import { explainedSentence } from './shared.ts';
import { transitionSchema, yamadaMatsumotoSchema } from './steps.ts';

/** The explanation of a vote. */

const token = z.int().min(0);

const voteSchema = z.strictObject({
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

/** The explanation of a constituency parse. */

const derivationNode = z.strictObject({
  label: z.string().nullable().describe('null: a state of the grammar that stands for no node of the tree'),
  parent: z.int().min(-1).describe('its place in the list; −1: none'),
  from: z.int().min(1).describe('the first of its words'),
  to: z.int().min(1).describe('the last of them'),
  rule: z.string().describe('what it is made by'),
  ruleScore: z.number().describe('the logarithm of the rule’s probability, or of the word’s given its tag'),
  score: z.number().describe('the sum of the scores of all rules below and its own'),
  runnersUp: z
    .array(z.strictObject({ label: z.string(), score: z.number() }))
    .describe('what else the same words could be, the best first: by the best score and how frequent it is'),
});

const pcfgSchema = z.strictObject({
  paradigm: z.literal('pcfg'),
  ...explainedSentence,
  grammar: z
    .enum(['plain', 'split'])
    .describe(
      'plain: rules score by their own probability; split: by their probability in all trees together (max-rule parsing)',
    ),
  brackets: z.string().describe('the tree'),
  score: z.number().nullable().describe('that of the derivation; null where there is none'),
  derivation: z.array(derivationNode).describe('the best derivation, every node before its descendants'),
  pruning: z.strictObject({
    beam: z
      .number()
      .nullable()
      .describe('how far below the best of the same words a phrase may be; null: any'),
    kept: z.int().describe('phrases of words that were kept'),
    cut: z.int().describe('those that were dropped for being improbable'),
  }),
});

export type PcfgExplanation = z.infer<typeof pcfgSchema>;
export type DerivationNode = z.infer<typeof derivationNode>;

const parserSchemas = [
  graphSchema,
  transitionSchema,
  yamadaMatsumotoSchema,
  bigramSchema,
  networkSchema,
  pcfgSchema,
  voteSchema,
] as const;

const pipelineSchema = z.strictObject({
  paradigm: z.literal('pipeline'),
  ...explainedSentence,
  parts: z.array(z.string()).describe('what the pipeline is made of, in the order in which it works'),
  columns: z
    .record(z.string(), z.array(z.string()))
    .describe('what was filled in, by the name of the column and by token'),
  alternatives: z
    .array(
      z.array(
        z.strictObject({
          columns: z.record(z.string(), z.string()).describe('the tags, by the name of their column'),
          score: z.number().describe('the score of the universal tag'),
        }),
      ),
    )
    .optional()
    .describe(
      'by token, the best tags that the tagger had to choose from, the one chosen first; empty where training left no choice; left out without a tagger',
    ),
  parser: z
    .discriminatedUnion('paradigm', parserSchemas)
    .optional()
    .describe('how the parser, or the vote, came to the tree; left out where there is none'),
});

/** How a parser came to its tree: plain data, ready for JSON. docs/explain.md describes the fields. */
export const explanationSchema = z.discriminatedUnion('paradigm', [...parserSchemas, pipelineSchema]);

export type PipelineExplanation = z.infer<typeof pipelineSchema>;
export type ParseExplanation = z.infer<typeof explanationSchema>;
