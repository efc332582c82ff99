import type { PlacedWord } from './placed-words.ts';

/** Of each gold word the index of the predicted word that is the same word, or −1. */
export type Alignment = Int32Array;

/**
 * Aligns the words of one text that two sides have split, as the `eval.py` of the CoNLL 2018 shared task does
 * (Zeman et al. 2018, K18-2001, section 4). Words that are tokens are aligned if their characters are the
 * same. If one side has a token of several words, the words of its characters are aligned by a longest common
 * subsequence of their lower-cased forms.
 */
export function alignWords(gold: readonly PlacedWord[], predicted: readonly PlacedWord[]): Alignment {
  const alignment = new Int32Array(gold.length).fill(-1);
  let g = 0;
  let p = 0;
  while (g < gold.length && p < predicted.length) {
    if (gold[g].isPart || predicted[p].isPart) {
      const stretch = multiwordStretch(gold, predicted, g, p);
      alignForms(gold, predicted, stretch, alignment);
      // Words of a token that is nothing but blanks are in no stretch.
      const isEmpty = stretch.goldEnd === g && stretch.predictedEnd === p;
      g = stretch.goldEnd + (isEmpty && gold[g].isPart ? 1 : 0);
      p = stretch.predictedEnd + (isEmpty && g === stretch.goldEnd ? 1 : 0);
    } else if (gold[g].start === predicted[p].start && gold[g].end === predicted[p].end) {
      alignment[g++] = p++;
    } else if (gold[g].start <= predicted[p].start) {
      g++;
    } else {
      p++;
    }
  }
  return alignment;
}

/** Words of both sides over the same characters: from `gold` to `goldEnd`, this one not included. */
interface Stretch {
  readonly gold: number;
  readonly goldEnd: number;
  readonly predicted: number;
  readonly predictedEnd: number;
}

/** The least stretch with the tokens of several words at g or p, and with those that overlap these, and so on. */
function multiwordStretch(
  gold: readonly PlacedWord[],
  predicted: readonly PlacedWord[],
  g: number,
  p: number,
): Stretch {
  const first = gold[g].isPart ? gold[g] : predicted[p];
  let end = first.end;
  if (gold[g].isPart) {
    if (!predicted[p].isPart && predicted[p].start < gold[g].start) p++;
  } else if (gold[g].start < predicted[p].start) {
    g++;
  }
  const begin = { gold: g, predicted: p };
  while (!isBeyond(gold[g], end) || !isBeyond(predicted[p], end)) {
    const isGold = g < gold.length && (p >= predicted.length || gold[g].start <= predicted[p].start);
    const word = isGold ? gold[g++] : predicted[p++];
    if (word.isPart && word.end > end) end = word.end;
  }
  return { ...begin, goldEnd: g, predictedEnd: p };
}

function isBeyond(word: PlacedWord | undefined, end: number): boolean {
  if (word === undefined) return true;
  return word.isPart ? word.start >= end : word.end > end;
}

function alignForms(
  gold: readonly PlacedWord[],
  predicted: readonly PlacedWord[],
  stretch: Stretch,
  alignment: Alignment,
): void {
  const rows = stretch.goldEnd - stretch.gold;
  const columns = stretch.predictedEnd - stretch.predicted;
  const isSame = (i: number, j: number) =>
    gold[stretch.gold + i].form === predicted[stretch.predicted + j].form;
  // common[i][j]: how many words the rests of both from there on have in common.
  const common = Array.from({ length: rows + 1 }, () => new Int32Array(columns + 1));
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const together = isSame(i, j) ? 1 + common[i + 1][j + 1] : 0;
      common[i][j] = Math.max(together, common[i + 1][j], common[i][j + 1]);
    }
  }
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (isSame(i, j)) alignment[stretch.gold + i++] = stretch.predicted + j++;
    else if (common[i][j] === common[i + 1][j]) i++;
    else j++;
  }
}
