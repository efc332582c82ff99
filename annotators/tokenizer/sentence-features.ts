import { mix } from '../../src/learn/hashing.ts';
import { Effect, type FeatureList, FIELDS, Field, type TokenList } from './token-list.ts';

/** Upper bounds of the length buckets. */
const lengths = [1, 2, 3, 4, 5, 8, 12, 19, 29, 44];

/** The brackets and quotation marks open in a sentence. */
export class OpenMarks {
  brackets = 0;
  quotes = 0;

  clear(): void {
    this.brackets = 0;
    this.quotes = 0;
  }

  add(effect: number): void {
    if (effect === Effect.opens) this.brackets = Math.min(2, this.brackets + 1);
    else if (effect === Effect.closes) this.brackets = Math.max(0, this.brackets - 1);
    else if (effect === Effect.quotes) this.quotes = 1 - this.quotes;
  }
}

/** Fills in features for whether a sentence from `start` ends after t; `open`: the marks open after t. */
export function fillSentenceFeatures(
  list: FeatureList,
  tokens: TokenList,
  t: number,
  start: number,
  open: OpenMarks,
): void {
  list.clear();
  addWords(list, tokens, t);
  addShapes(list, tokens, t);
  addPlace(list, tokens, t, start, open);
}

const WORDS = 1;
const SHAPES = 21;
const PLACE = 41;

function addWords(list: FeatureList, { data }: TokenList, t: number): void {
  const at = t * FIELDS;
  const following = at + FIELDS;
  const before = data[at - FIELDS + Field.lower];
  const here = data[at + Field.lower];
  const next = data[following + Field.lower];
  const after = data[following + FIELDS + Field.lower];
  const form = data[at + Field.form];
  const nextForm = data[following + Field.form];
  const mark = data[at + Field.mark];
  const nextMark = data[following + Field.writtenMark];
  let template = WORDS;
  list.add(template++);
  list.add(mix(template++, here));
  list.add(mix(template++, next));
  list.add(mix(mix(template++, here), next));
  list.add(mix(mix(template++, before), here));
  list.add(mix(mix(template++, next), after));
  list.add(mix(template++, form));
  list.add(mix(template++, nextForm));
  list.add(mix(mix(template++, form), nextForm));
  list.add(mix(mix(template++, here), nextMark));
  list.add(mix(mix(template++, mark), next));
  list.add(mix(mix(mix(template++, before), here), nextMark));
  list.add(mix(mix(mix(template++, mark), next), after));
  list.add(mix(mix(mix(template++, data[at - 2 * FIELDS + Field.lower]), before), here));
  list.add(mix(mix(mix(template++, next), after), data[at + 3 * FIELDS + Field.lower]));
  list.add(mix(mix(template++, data[at + Field.suffix]), nextMark));
  list.add(mix(mix(template++, data[following + Field.suffix]), mark));
}

function addShapes(list: FeatureList, { data }: TokenList, t: number): void {
  const at = t * FIELDS;
  const following = at + FIELDS;
  const before = data[at - FIELDS + Field.mark];
  const pair = mix(data[at + Field.mark], data[following + Field.writtenMark]);
  const after = data[following + FIELDS + Field.mark];
  const shape = data[at + Field.sizedShape];
  const nextShape = data[following + Field.sizedShape];
  const shapes = mix(shape, nextShape);
  const blank = data[at + Field.blank];
  const uppers = 2 * data[following + Field.upper] + data[at + Field.upper];
  let template = SHAPES;
  list.add(mix(template++, shape));
  list.add(mix(template++, nextShape));
  list.add(mix(template++, pair));
  list.add(mix(mix(template++, before), pair));
  list.add(mix(mix(template++, pair), after));
  list.add(mix(mix(mix(template++, before), pair), after));
  list.add(mix(mix(template++, blank), pair));
  list.add(mix(mix(template++, 2 * data[at - FIELDS + Field.blank] + blank), pair));
  list.add(mix(mix(template++, data[following + Field.blank]), pair));
  list.add(mix(mix(template++, shapes), data[following + FIELDS + Field.sizedShape]));
  list.add(mix(mix(template++, data[at - FIELDS + Field.sizedShape]), shapes));
  list.add(mix(mix(mix(template++, data[at + Field.case]), data[following + Field.case]), uppers));
  list.add(mix(mix(template++, data[at - FIELDS + Field.case]), pair));
}

/** The length of the sentence so far, the distance to the end of the paragraph, and open brackets and quotes. */
function addPlace(list: FeatureList, tokens: TokenList, t: number, start: number, open: OpenMarks): void {
  const { data, end } = tokens;
  const here = data[t * FIELDS + Field.mark];
  const pair = mix(here, data[(t + 1) * FIELDS + Field.writtenMark]);
  const first = data[start * FIELDS + Field.mark];
  const length = lengthClass(t - start + 1);
  const left = lengthClass(end - 1 - t);
  let template = PLACE;
  list.add(mix(mix(template++, length), here));
  list.add(mix(mix(template++, length), pair));
  list.add(mix(mix(template++, left), here));
  list.add(mix(mix(template++, left), pair));
  list.add(mix(mix(template++, open.brackets), pair));
  list.add(mix(mix(template++, open.quotes), pair));
  list.add(mix(mix(template++, first), here));
  list.add(mix(mix(mix(template++, length), first), pair));
}

function lengthClass(length: number): number {
  let k = 0;
  while (k < lengths.length && length > lengths[k]) k++;
  return k;
}
