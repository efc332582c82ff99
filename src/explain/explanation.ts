import { z } from 'zod';
import { bigramSchema, graphSchema, networkSchema } from './matrix.ts';
import { pcfgSchema } from './phrases.ts';
import { explainedSentence } from './shared.ts';
import { transitionSchema, yamadaMatsumotoSchema } from './steps.ts';
import { voteSchema } from './vote.ts';

const parserSchemas = [
  graphSchema,
  transitionSchema,
  yamadaMatsumotoSchema,
  bigramSchema,
  networkSchema,
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

/** How a parser came to its tree: plain data, ready for JSON. Fields are told of in docs/explain.md. */
export const explanationSchema = z.discriminatedUnion('paradigm', [...parserSchemas, pipelineSchema]);

export type PipelineExplanation = z.infer<typeof pipelineSchema>;
export type ParseExplanation = z.infer<typeof explanationSchema>;
