import { z } from 'zod';

/** What a trained parser must know of its options, with what the data decided. */
export const settingsSchema = z.object({
  system: z.literal('yamada-matsumoto'),
  degree: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  context: z.tuple([z.int(), z.int()]),
  children: z.boolean(),
  splitByTag: z.boolean(),
  tags: z.array(z.enum(['upos', 'xpos'])).min(1),
  feats: z.boolean(),
  normalize: z.boolean(),
  singleRoot: z.boolean(),
  maxLength: z.int().min(1),
});

export type Settings = z.infer<typeof settingsSchema>;
