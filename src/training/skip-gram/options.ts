import { z } from 'zod';
import { MOST_BUCKETS } from '../../learn/vectors/ngram-table.ts';
import { MOST_DIMENSIONS } from '../../learn/vectors/vector-table.ts';
import { between, whole } from '../options.ts';

export const skipGramOptions = z.strictObject({
  dimensions: whole(1, MOST_DIMENSIONS).default(100).describe('numbers per vector'),
  window: whole(1, 100)
    .default(5)
    .describe('maximum distance of a context word; the window of each word is drawn from 1 to this'),
  negatives: whole(1, 100).default(5).describe('negative samples per context word'),
  minCount: whole(1, 1_000_000).default(5).describe('minimum count of a word; rarer ones are left out'),
  epochs: whole(1, 1000).default(5).describe('passes over the text'),
  subwords: z
    .string()
    .regex(/^([1-9]|[12]\d)-([1-9]|[12]\d)$/, 'expected two lengths such as 3-6')
    .refine((range) => rangeOf(range).least <= rangeOf(range).most, 'expected the smaller length first')
    .default('3-6')
    .describe('lengths of character n-grams'),
  buckets: whole(1, MOST_BUCKETS)
    .default(2_000_000)
    .describe('hash buckets of n-grams; only those that occur take memory'),
  rate: between(0.0001, 1).default(0.05).describe('initial learning rate, which falls to 0'),
});

export type SkipGramOptions = z.infer<typeof skipGramOptions>;

export function rangeOf(subwords: string): { readonly least: number; readonly most: number } {
  const [least, most] = subwords.split('-').map(Number);
  return { least, most };
}
