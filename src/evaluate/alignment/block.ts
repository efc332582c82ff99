import type { AnnotatedColumn } from '../../treebank/columns/names.ts';
import { alignWords } from './align.ts';
import { type Counterpart, ELSEWHERE, NOT_THERE } from './counterpart.ts';
import { type PlacedSentence, PlacedWords } from './placed-words.ts';
import { NONE, splits } from './splits.ts';

/** A stretch of text at whose ends both sides end a sentence, but which they have split in different ways. */
export class Block {
  readonly gold = new PlacedWords();
  readonly predicted = new PlacedWords();

  /** What the parser's sentences say of gold's, one entry a gold sentence. */
  counterparts(): Counterpart[] {
    const { gold, predicted } = this;
    const alignment = alignWords(gold.words, predicted.words);
    const goldOf = new Int32Array(predicted.words.length).fill(NONE);
    alignment.forEach((p, g) => {
      if (p !== NONE) goldOf[p] = g;
    });
    const found = splits(gold, predicted, goldOf);
    return gold.sentences.map((sentence, i) => {
      const heads = headsOf(sentence, predicted, alignment, goldOf);
      const column = (name: 'labels' | AnnotatedColumn) =>
        Array.from(heads, (_, d) => {
          const p = d === 0 ? NONE : alignment[sentence.firstWord + d - 1];
          if (p === NONE) return '';
          const { of, number } = predicted.words[p];
          return predicted.sentences[of].sentence[name][number];
        });
      const [labels, upos, xpos] = [column('labels'), column('upos'), column('xpos')];
      return {
        ...{ heads, labels, upos, xpos, feats: column('feats'), lemmas: column('lemmas') },
        split: found[i],
      };
    });
  }
}

/** Of each word of a gold sentence the parser's head, by gold's numbers. */
function headsOf(
  { sentence, firstWord }: PlacedSentence,
  predicted: PlacedWords,
  alignment: Int32Array,
  goldOf: Int32Array,
): Int32Array {
  const heads = new Int32Array(sentence.length + 1).fill(NOT_THERE);
  for (let d = 1; d <= sentence.length; d++) {
    const p = alignment[firstWord + d - 1];
    if (p === NONE) continue;
    const { head } = predicted.words[p];
    if (head === -1) {
      heads[d] = 0;
      continue;
    }
    const h = goldOf[head] - firstWord + 1;
    heads[d] = goldOf[head] !== NONE && h >= 1 && h <= sentence.length ? h : ELSEWHERE;
  }
  return heads;
}
