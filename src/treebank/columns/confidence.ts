import { OptionError } from '../../errors.ts';
import type { TreebankFormat } from '../reading/format.ts';
import { columnOf, type Sentence } from '../sentence.ts';
import { morphologyColumns } from './names.ts';
import type { FilledColumns } from './write.ts';

/** Names in MISC of the confidences of arcs, tags, lemmas, and token and sentence boundaries. */
const confidenceNames = {
  arcs: 'Confidence',
  tags: 'TagConfidence',
  lemmas: 'LemmaConfidence',
  tokens: 'TokenConfidence',
} as const;
export type ConfidenceKind = keyof typeof confidenceNames;
export const confidenceKinds = Object.keys(confidenceNames) as ConfidenceKind[];
/** Confidences from 0 to 1, in entries 1…n. */
export type Confidences = Readonly<Partial<Record<ConfidenceKind, Float64Array>>>;

/** Whether a format has MISC, which holds confidences. */
export const hasMisc = (format: TreebankFormat): format is 'conllu' | 'json' =>
  format === 'conllu' || format === 'json';

/** Returns the MISC column with these confidences in place of any earlier ones. */
export function withConfidences(misc: readonly string[], confidences: Confidences): string[] {
  const kinds = Object.keys(confidences) as ConfidenceKind[];
  return kinds.reduce<string[]>(
    (column, kind) =>
      column.map((text, d) => (d === 0 ? text : withConfidence(text, kind, confidences[kind]![d]))),
    [...misc],
  );
}

/** Returns the MISC column without confidences of these kinds, which are not those of new values. */
export function withoutConfidences(
  misc: readonly string[],
  kinds: readonly ConfidenceKind[],
): readonly string[] {
  if (!misc.some((text) => text.includes('Confidence='))) return misc;
  const names = kinds.map((kind) => `${confidenceNames[kind]}=`);
  return misc.map((text) => {
    const others = text.split('|').filter((part) => !names.some((name) => part.startsWith(name)));
    return others.join('|') || (text === '' ? '' : '_');
  });
}

/** The kinds of confidences of values in these columns. */
export const kindsIn = (columns: FilledColumns): ConfidenceKind[] => [
  ...(columns.lemmas === undefined ? [] : ['lemmas' as const]),
  ...(morphologyColumns.some((name) => columns[name] !== undefined) ? ['tags' as const] : []),
];

/** Returns MISC with confidences for writing a sentence in a format; throws `OptionError`, with advice, if it has no MISC. */
export function miscWithConfidences(
  sentence: Sentence,
  confidences: Confidences,
  format: TreebankFormat,
  advice: OptionError['say'] = (option) => `add ${option('to', 'conllu')}`,
): string[] {
  if (hasMisc(format)) return withConfidences(columnOf(sentence, 'misc'), confidences);
  throw new OptionError(
    (option) => `${option('confidence')} goes into MISC, which ${format} does not have: ${advice(option)}`,
  );
}

/** Returns a MISC value with this confidence in place of an earlier one. */
export function withConfidence(misc: string, kind: ConfidenceKind, confidence: number): string {
  const name = `${confidenceNames[kind]}=`;
  const others = misc.split('|').filter((part) => part !== '_' && !part.startsWith(name));
  return [...others, name + confidence.toFixed(3)].join('|');
}

/** Reads a confidence from MISC; undefined if it is missing or not a number from 0 to 1. */
export function confidenceIn(misc: string, kind: ConfidenceKind = 'arcs'): number | undefined {
  const name = `${confidenceNames[kind]}=`;
  const part = misc.split('|').find((one) => one.startsWith(name));
  const text = part?.slice(name.length) ?? '';
  const value = Number(text);
  return text !== '' && value >= 0 && value <= 1 ? value : undefined;
}

/** Reads the confidences of all arcs, in entries 1…n; undefined if a token has none. */
export function confidencesOf({ length, misc }: Pick<Sentence, 'length' | 'misc'>): Float64Array | undefined {
  const confidences = new Float64Array(length + 1);
  for (let d = 1; d <= length; d++) {
    const confidence = misc[d] === '_' ? undefined : confidenceIn(misc[d]);
    if (confidence === undefined) return undefined;
    confidences[d] = confidence;
  }
  return confidences;
}
