import type { TreebankFormat } from '../reading/format.ts';
import type { Sentence } from '../sentence.ts';

const NAME = 'Confidence';

export function hasConfidences(format: TreebankFormat): format is 'conllu' | 'json' {
  return format === 'conllu' || format === 'json';
}

/** The MISC column with these confidences, from entry 1 on, replacing any earlier ones. */
export function withConfidences(misc: readonly string[], confidences: Float64Array): string[] {
  return misc.map((text, d) => {
    if (d === 0) return text;
    const others = text.split('|').filter((part) => part !== '_' && !part.startsWith(`${NAME}=`));
    return [...others, `${NAME}=${confidences[d].toFixed(3)}`].join('|');
  });
}

/** Undefined where it is missing or not a number from 0 to 1. */
export function confidenceIn(misc: string): number | undefined {
  const part = misc.split('|').find((one) => one.startsWith(`${NAME}=`));
  const text = part?.slice(NAME.length + 1) ?? '';
  const value = Number(text);
  return text !== '' && value >= 0 && value <= 1 ? value : undefined;
}

/** From entry 1 on; undefined where a token has none. */
export function confidencesOf({ length, misc }: Pick<Sentence, 'length' | 'misc'>): Float64Array | undefined {
  const confidences = new Float64Array(length + 1);
  for (let d = 1; d <= length; d++) {
    const confidence = misc[d] === '_' ? undefined : confidenceIn(misc[d]);
    if (confidence === undefined) return undefined;
    confidences[d] = confidence;
  }
  return confidences;
}
