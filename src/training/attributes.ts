import { columnStart } from '../encoding/columns.ts';
import { type Attribute, attributesIn, attributeValue } from '../encoding/features.ts';
import { attributesNamed } from '../encoding/templates/notation.ts';
import type { EncodedTreebank } from './examples.ts';
import type { TrainingRun } from './training-run.ts';

/** Minimum information gain of an attribute for `m:*`, in bits per token, and maximum number of attributes. */
const LEAST_GAIN = 0.15;
const MOST_ATTRIBUTES = 4;

/** Adds the attributes of FEATS that templates read to an encoded treebank; `attributes`: the expansion of `m:*`. */
export function withAttributes(
  encoded: EncodedTreebank,
  templates: readonly string[],
): { readonly encoded: EncodedTreebank; readonly attributes: readonly string[] } {
  const { encoder, examples } = encoded;
  const named = new Set(attributesNamed(templates));
  const isOfAll = readAll(templates);
  if ((named.size === 0 && !isOfAll) || !encoder.isFilled('feats')) return { encoded, attributes: [] };
  const all = attributesIn(encoder.featsIn(examples));
  const chosen = isOfAll ? informativeAttributes(all, wordTypes(encoded)) : [];
  const needed = all.filter((one) => named.has(one.name) || chosen.includes(one));
  return {
    encoded: { ...encoded, examples: encoder.addAttributes(needed, examples) },
    attributes: chosen.map(({ name }) => name),
  };
}

const readAll = (templates: readonly string[]) => templates.some((template) => template.includes('m:*'));
/** Limits for replacing XPOS: minimum number of tags, maximum number of tokens per tag, maximum information beyond FEATS (bits per token). */
const [LEAST_TAGS, LEAST_TOKENS_PER_TAG, MOST_OWN_INFORMATION] = [100, 100, 0.15];
/** The attributes of fine tags, which mark syntactic function; number, gender and person would only split tags. */
const ATTRIBUTES_OF_TAGS = ['Case', 'VerbForm', 'Mood'];

/**
 * Replaces an XPOS of hundreds of mostly rare tags that repeat FEATS (Czech, Tamil) by UPOS combined with case, verb form and
 * mood, also in the encoded sentences. Returns these attributes; undefined if XPOS stays.
 */
export function withFineTags(
  encoded: EncodedTreebank,
  templates: readonly string[],
  run: TrainingRun,
): string[] | undefined {
  const { encoder, examples, tags } = encoded;
  if (tags.length < 2 || !readAll(templates) || !encoder.isFilled('feats')) return undefined;
  const [upos, xpos, feats] = (['upos', 'xpos', 'feats'] as const).map((name) => encoder.names.indexOf(name));
  const counts = { coarse: new Map<string, number>(), all: new Map<string, number>() };
  let tokens = 0;
  for (const { length, columns } of examples) {
    tokens += length;
    for (let d = 1; d <= length; d++) {
      const [tag, fine, own] = [upos, xpos, feats].map((c) => columns[columnStart(length, c) + d]);
      add(counts.coarse, `${tag} ${own}`, 1);
      add(counts.all, `${tag} ${own} ${fine}`, 1);
    }
  }
  const values = encoder.vocabulary(xpos).strings().length;
  const isSparse = values >= LEAST_TAGS && tokens < LEAST_TOKENS_PER_TAG * values;
  const information = (sum(counts.coarse) - sum(counts.all)) / tokens;
  if (!isSparse || information > MOST_OWN_INFORMATION) return undefined;
  const found = new Set(attributesIn(encoder.featsIn(examples)).map(({ name }) => name));
  const names = ATTRIBUTES_OF_TAGS.filter((name) => found.has(name));
  if (names.length === 0) return undefined;
  run.onNotice?.(`XPOS repeats FEATS: upos with ${names.join(', ')} in its place`);
  encoder.useFineTags(names, examples);
  return names;
}

/** Tokens with the same tag, FEATS and label. */
interface WordType {
  readonly feats: string;
  readonly label: number;
  count: number;
  /** The tag, and the values of the attributes chosen so far. */
  context: string;
}

function wordTypes({ encoder, examples, tags }: EncodedTreebank): WordType[] {
  const types = new Map<string, WordType>();
  const [tag, feats] = [encoder.names.indexOf(tags[0]), encoder.names.indexOf('feats')];
  const strings = ['', '', '', '', ...encoder.vocabulary(feats).strings()];
  for (const { length, columns, labels } of examples) {
    const [tagStart, featsStart] = [columnStart(length, tag), columnStart(length, feats)];
    for (let d = 1; d <= length; d++) {
      const context = String(columns[tagStart + d]);
      const key = `${context} ${columns[featsStart + d]} ${labels[d]}`;
      const type = types.get(key);
      if (type !== undefined) type.count++;
      else types.set(key, { feats: strings[columns[featsStart + d]], label: labels[d], count: 1, context });
    }
  }
  return [...types.values()];
}

/** Chooses attributes greedily by their information gain about labels, given the tag and the attributes chosen before. */
function informativeAttributes(all: readonly Attribute[], types: readonly WordType[]): Attribute[] {
  const values = new Map(all.map((attribute) => [attribute, valuesOf(attribute, types)]));
  const chosen: Attribute[] = [];
  while (chosen.length < MOST_ATTRIBUTES) {
    const gains = [...values].map(([attribute, own]) => ({
      attribute,
      own,
      gain: informationGain(types, own),
    }));
    const best = gains.sort((a, b) => b.gain - a.gain).at(0);
    if (best === undefined || best.gain < LEAST_GAIN) break;
    chosen.push(best.attribute);
    values.delete(best.attribute);
    for (const [t, type] of types.entries()) type.context += ` ${best.own[t]}`;
  }
  return chosen;
}

const valuesOf = ({ name, bare }: Attribute, types: readonly WordType[]): string[] =>
  types.map(({ feats }) => attributeValue(feats, name, (feature) => bare.has(feature)));

/** The conditional mutual information of value and label, in bits per token, less its bias (Miller 1955). */
function informationGain(types: readonly WordType[], values: readonly string[]): number {
  const counts = { context: new Map(), value: new Map(), label: new Map(), all: new Map() };
  let tokens = 0;
  for (const [t, { context, label, count }] of types.entries()) {
    add(counts.context, context, count);
    add(counts.value, `${context} ${values[t]}`, count);
    add(counts.label, `${context} ${label}`, count);
    add(counts.all, `${context} ${values[t]} ${label}`, count);
    tokens += count;
  }
  const { context, value, label, all } = counts;
  const information = sum(all) + sum(context) - sum(value) - sum(label);
  const bias = all.size + context.size - value.size - label.size;
  return (information - bias / (2 * Math.LN2)) / tokens;
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Σ n log₂ n. */
function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of counts.values()) total += count * Math.log2(count);
  return total;
}
