import { z } from 'zod';
import { explainedSentence } from './shared.ts';

/** Explanations of constituency parsers. */

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

export const pcfgSchema = z.strictObject({
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
