import type { CompareRequest } from './backend.ts';

/** The state of the page in its address: `#words=Dogs+bark.&model=a&model=b&sentence=2&explain=a&step=3`. */
export interface Link extends CompareRequest {
  /** From 1. */
  readonly sentence: number;
  readonly explained?: LinkedExplanation | undefined;
}

export interface LinkedExplanation {
  readonly model: string;
  /** From 1. */
  readonly step: number;
}

/** Maximum characters of the text in a link: some programs truncate long addresses. */
export const longestInLink = 10_000;

/** Reads the fragment of an address; undefined if it has no `words`. */
export function linkOf(hash: string): Link | undefined {
  const fields = new URLSearchParams(hash.slice(1));
  const words = fields.get('words');
  if (words === null) return undefined;
  const model = fields.get('explain');
  return {
    words,
    models: fields.getAll('model'),
    vote: fields.get('vote') !== 'no',
    sentence: Number(fields.get('sentence') ?? 1),
    explained: model === null ? undefined : { model, step: Number(fields.get('step') ?? 1) },
  };
}

/** Writes the fragment of an address; `others`: additional fields. */
export function addressOf(
  { words, models, vote, sentence, explained }: Link,
  others: readonly (readonly [name: string, value: string])[] = [],
): string {
  const fields = new URLSearchParams({ words });
  for (const model of models) fields.append('model', model);
  if (!vote) fields.set('vote', 'no');
  if (sentence > 1) fields.set('sentence', String(sentence));
  if (explained !== undefined) {
    fields.set('explain', explained.model);
    if (explained.step > 1) fields.set('step', String(explained.step));
  }
  for (const [name, value] of others) fields.append(name, value);
  return `#${fields}`;
}
