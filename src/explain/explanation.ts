import { z } from 'zod';
import { bigramSchema, graphSchema } from './matrix.ts';
import { pcfgSchema } from './phrases.ts';
import { explainedSentence } from './shared.ts';
import { transitionSchema, yamadaMatsumotoSchema } from './steps.ts';
import { voteSchema } from './vote.ts';

const parserSchemas = [
  graphSchema,
  transitionSchema,
  yamadaMatsumotoSchema,
  bigramSchema,
  pcfgSchema,
  voteSchema,
] as const;

export const pipelineSchema = z.strictObject({
  paradigm: z.literal('pipeline'),
  ...explainedSentence,
  parts: z.array(z.string()).describe('what the pipeline is made of, in the order in which it works'),
  columns: z
    .record(z.string(), z.array(z.string()))
    .describe('what was filled in, by the name of the column and by token'),
  parser: z
    .discriminatedUnion('paradigm', parserSchemas)
    .optional()
    .describe('how the parser, or the vote, came to the tree; left out where there is none'),
});

/** How a parser came to its tree: plain data, ready for JSON. Fields are told of in docs/explain.md. */
export const explanationSchema = z.discriminatedUnion('paradigm', [...parserSchemas, pipelineSchema]);

export type PipelineExplanation = z.infer<typeof pipelineSchema>;
export type ParseExplanation = z.infer<typeof explanationSchema>;
