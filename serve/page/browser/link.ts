import type { Asked } from './service.ts';

/** What the page shows, as its address says it: `#words=Dogs+bark.&model=a&model=b&sentence=2`. */
export interface Link extends Asked {
  /** From 1. */
  readonly sentence: number;
}

/** Characters of words, at most: programs that pass addresses on cut long ones. */
export const longestInLink = 10_000;

/** What an address asks for; undefined where it asks for nothing. */
export function linkOf(hash: string): Link | undefined {
  const fields = new URLSearchParams(hash.slice(1));
  const words = fields.get('words');
  if (words === null) return undefined;
  return {
    words,
    models: fields.getAll('model'),
    vote: fields.get('vote') !== 'no',
    sentence: Number(fields.get('sentence') ?? 1),
  };
}

export function addressOf({ words, models, vote, sentence }: Link): string {
  const fields = new URLSearchParams({ words });
  for (const model of models) fields.append('model', model);
  if (!vote) fields.set('vote', 'no');
  if (sentence > 1) fields.set('sentence', String(sentence));
  return `#${fields}`;
}
