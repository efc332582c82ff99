import { z } from 'zod';

/**
 * Parts of all explanations. 0 is the artificial root, tokens are numbered from 1; lists by token begin with
 * the root.
 */

const token = z.int().min(0);

const explainedTokenSchema = z.strictObject({
  form: z.string(),
  tag: z.string().describe('the universal tag; the other one where there is none'),
});

const dependencySchema = z.strictObject({
  heads: z.array(z.int().min(-1)).describe('by token; that of the root is −1'),
  labels: z.array(z.string()).describe('by token'),
});

/** The fields of every explanation. */
export const explainedSentence = {
  id: z.string().optional().describe('the sentence’s id, where it has one'),
  tokens: z.array(explainedTokenSchema).describe('the words, after an entry for the root'),
  tree: dependencySchema.describe('the tree that the parser finds'),
  built: dependencySchema
    .optional()
    .describe(
      'the projective tree that the search came to, where arcs were put back afterwards that its labels say were lifted',
    ),
  gold: dependencySchema.optional().describe('the right tree, where it is known'),
  notices: z.array(z.string()).describe('what was not as usual'),
};

export const arcSchema = z.strictObject({ head: token, dependent: token });

const contributionSchema = z.strictObject({
  template: z.string().describe('the template, or whatever else adds to the score'),
  feature: z.string().describe('what the template reads here'),
  weight: z.number().describe('what this adds to the score; what adds nothing is left out'),
});

const alternativeSchema = z.strictObject({
  name: z.string(),
  score: z.number().describe('the sum of its contributions'),
  contributions: z.array(contributionSchema),
});

export const decisionSchema = z.strictObject({
  against: z
    .enum(['gold', 'runner-up', 'nothing'])
    .describe(
      'what the second alternative is: the right answer, where the parser errs, or the next best one',
    ),
  alternatives: z.array(alternativeSchema).min(1).max(2).describe('the one chosen, then the other, if any'),
  margin: z.number().nullable().describe('by how much the first scores above the second'),
});

export type ExplainedToken = z.infer<typeof explainedTokenSchema>;
export type ExplainedTree = z.infer<typeof dependencySchema>;
export type Contribution = z.infer<typeof contributionSchema>;
export type Alternative = z.infer<typeof alternativeSchema>;
export type Decision = z.infer<typeof decisionSchema>;
