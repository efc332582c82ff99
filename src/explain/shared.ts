import { z } from 'zod';

/** Parts of all explanations. 0 is the artificial root; lists by token begin with the root. */

export const token = z.int().min(0);
export const probability = z.number().min(0).max(1);

/** A list of objects with these fields. */
export const listOf = <Fields extends z.core.$ZodLooseShape>(description: string, fields: Fields) =>
  z.array(z.strictObject(fields)).describe(description);

const explainedTokenSchema = z.strictObject({
  form: z.string(),
  tag: z.string().describe('UPOS, or XPOS if there is none'),
});

const dependencySchema = z.strictObject({
  heads: z.array(z.int().min(-1)).describe('by token; −1 for the root'),
  labels: z.array(z.string()).describe('by token'),
});

export const explainedSentence = {
  id: z.string().optional().describe('the sentence’s id, if any'),
  tokens: z.array(explainedTokenSchema).describe('the words, preceded by an entry for the root'),
  tree: dependencySchema.describe('the parser’s tree'),
  built: dependencySchema
    .optional()
    .describe('the projective tree that the search found, if lifted arcs were restored afterwards'),
  gold: dependencySchema.optional().describe('the gold tree, if known'),
  notices: z.array(z.string()).describe('remarks on the parse'),
};

export const arcSchema = z.strictObject({ head: token, dependent: token });

const contributionSchema = z.strictObject({
  template: z.string().describe('the template, or another summand of the score'),
  feature: z.string().describe('the template’s value'),
  weight: z.number().describe('contribution to the score; zeros are left out'),
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
      'what the chosen answer is compared with: the right answer, if the parser errs, or the next best one',
    ),
  alternatives: z.array(alternativeSchema).min(1).max(2).describe('the chosen one, then the other, if any'),
  margin: z.number().nullable().describe('score of the first − score of the second'),
});

export type ExplainedToken = z.infer<typeof explainedTokenSchema>;
export type ExplainedTree = z.infer<typeof dependencySchema>;
export type Contribution = z.infer<typeof contributionSchema>;
export type Alternative = z.infer<typeof alternativeSchema>;
export type Decision = z.infer<typeof decisionSchema>;
