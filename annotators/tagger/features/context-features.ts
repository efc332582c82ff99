import type { FeatureHashes } from '../../features/feature-hashes.ts';
import { FIELDS, Field, PAD, type Words } from '../words.ts';

/** The most features of a place. */
export const MOST_CONTEXT_FEATURES = 24;

/** The features of word i (from 0) that lie in several words of the text together, or in its place. */
export function fillContextFeatures(list: FeatureHashes, { data, length }: Words, i: number): void {
  const at = (PAD + i) * FIELDS;
  const [w, shape, amb, usual] = [at + Field.lower, at + Field.shape, at + Field.ambiguity, at + Field.usual];
  const word = data[w];
  const [w1, w2] = [data[w - FIELDS], data[w - 2 * FIELDS]];
  const [n1, n2] = [data[w + FIELDS], data[w + 2 * FIELDS]];
  const [a, a1, n1a, n2a] = [data[amb], data[amb - FIELDS], data[amb + FIELDS], data[amb + 2 * FIELDS]];
  const s = data[at + Field.endings + 2];
  const h = data[shape];
  list.clear();
  list.add(100, w1, word);
  list.add(101, word, n1);
  list.add(102, w1, n1);
  list.add(103, w1, w2);
  list.add(104, n1, n2);
  list.add(105, h, i === 0 ? 1 : 0);
  list.add(106, data[at + Field.flags]);
  list.add(107, data[shape - FIELDS], h);
  list.add(108, h, data[shape + FIELDS]);
  list.add(109, n1a, n2a);
  list.add(110, a1, n1a);
  list.add(111, a, n1a);
  list.add(112, a1, a);
  list.add(113, s, n1a);
  list.add(114, s, a1);
  list.add(115, data[usual], data[usual + FIELDS]);
  list.add(116, data[(PAD + length - 1) * FIELDS + Field.lower]);
}
