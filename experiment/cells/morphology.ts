import { z } from 'zod';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { WrappedTreebank } from '../../src/treebank/treebanks.ts';

/**
 * What a parser sees of lemmas and features: `none` of them; or `in-tag`, every tag and its features as one tag; or
 * so with some features only, by name, as in the column FEATS (`Case`).
 */
export const morphologySchema = z.union([
  z.enum(['none', 'in-tag']),
  z.array(z.string().regex(/^[^=|]+$/, 'expected the name of a feature, as Case')).min(1),
]);
export type Morphology = z.infer<typeof morphologySchema>;

/** A treebank with the morphology that a parser is to see; undefined: all of it, as it is. */
export function withMorphology(treebank: Treebank, morphology: Morphology | undefined): Treebank {
  return morphology === undefined ? treebank : new OtherMorphology(treebank, morphology);
}

/** The same of one sentence. */
export function shownMorphology(sentence: Sentence, morphology: Morphology | undefined): Sentence {
  if (morphology === undefined) return sentence;
  const { upos, xpos, feats } = sentence;
  const blank = sentence.forms.map((_, d) => (d === 0 ? '' : '_'));
  if (morphology === 'none') return { ...sentence, lemmas: blank, feats: blank };
  const joined = (tag: string, d: number) =>
    tag === '_' || d === 0 ? tag : [tag, ...featuresOf(feats[d], morphology)].join('|');
  return { ...sentence, upos: upos.map(joined), xpos: xpos.map(joined), feats: blank };
}

/** `Case=Nom|Number=Sing` → those that are asked for. */
function featuresOf(feats: string, morphology: 'in-tag' | readonly string[]): string[] {
  if (feats === '_') return [];
  const all = feats.split('|');
  return morphology === 'in-tag'
    ? all
    : all.filter((feature) => morphology.includes(feature.replace(/=.*$/s, '')));
}

class OtherMorphology extends WrappedTreebank {
  constructor(
    treebank: Treebank,
    private readonly morphology: Morphology,
  ) {
    super(treebank);
  }

  override async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    for await (const sentence of this.treebank) yield shownMorphology(sentence, this.morphology);
  }
}
