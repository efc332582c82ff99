import type { Sentence } from '../../treebank/sentence.ts';
import { percent } from '../percent.ts';
import { contentRelations, functionRelations, universalFeatures, universalRelation } from './universal.ts';

/**
 * F1 scores in percent as the UD evaluation script gives them; precision equals recall but for the content
 * words. NaN where a file lacks what the score is made of: the script's figure would tell that alone.
 */
export interface UdScores {
  readonly uas: number;
  readonly las: number;
  readonly clas: number;
  /** NaN where gold or the predicted file has no UPOS, or gold has features and the predicted file none. */
  readonly mlas: number;
  /** NaN where gold or the predicted file has no lemmas. */
  readonly blex: number;
}

/** What the scores of one sentence are made of: numbers of words. */
export interface UdSentenceCounts {
  heads: number;
  arcs: number;
  /** Words with a content relation, in gold and in the predicted tree. */
  goldContent: number;
  predictedContent: number;
  clas: number;
  mlas: number;
  blex: number;
}

/**
 * The scores of the CoNLL 2018 shared task (Zeman et al. 2018, K18-2001, section 4), as UD's
 * `eval.py --multiple-roots-okay` gives them. Punctuation counts whatever the punctuation rule, and relations
 * are cut at `:`.
 * - UAS, LAS: as everywhere, of all words.
 * - CLAS: LAS of the words with a content relation: correct ones (gold relation counts) over the mean of the
 *   numbers of words with a content relation in gold and in the predicted tree.
 * - MLAS: a CLAS match whose UPOS and universal features match, and whose function-word children are the same
 *   words with the same relation, UPOS and universal features.
 * - BLEX: a CLAS match whose lemma matches; a gold lemma `_` matches any.
 *
 * The script aligns words by characters, and by longest common subsequence within multiword tokens. Here both
 * sides have the same tokens (`sentencePairs` refuses others), and then that alignment is the identity.
 */
export class UdCounts {
  private words = 0;
  private readonly sums = noCounts();
  /** Whether every gold relation so far is one of UD version 2; the scores mean nothing elsewhere. */
  private universal = true;
  private readonly goldColumns = new FilledColumns();
  private readonly predictedColumns = new FilledColumns();

  /** Adds a sentence; gives what is counted of it. */
  add(gold: Sentence, predicted: Sentence): UdSentenceCounts {
    const goldRelations = gold.labels.map(universalRelation);
    const relations = predicted.labels.map(universalRelation);
    this.universal &&= goldRelations.every((relation, d) => d === 0 || isUniversal(relation));
    this.goldColumns.add(gold);
    this.predictedColumns.add(predicted);
    const counts = countSentence(gold, goldRelations, predicted, relations);
    this.words += gold.length;
    for (const key of countNames) this.sums[key] += counts[key];
    return counts;
  }

  /** The scores; undefined where a gold relation is not one of UD version 2. */
  scores(): UdScores | undefined {
    if (!this.universal) return undefined;
    const { words, sums, goldColumns, predictedColumns } = this;
    const meanContent = (sums.goldContent + sums.predictedContent) / 2;
    const hasMorphology =
      goldColumns.upos && predictedColumns.upos && (predictedColumns.feats || !goldColumns.feats);
    const hasLemmas = goldColumns.lemmas && predictedColumns.lemmas;
    return {
      uas: percent(sums.heads, words),
      las: percent(sums.arcs, words),
      clas: percent(sums.clas, meanContent),
      mlas: hasMorphology ? percent(sums.mlas, meanContent) : Number.NaN,
      blex: hasLemmas ? percent(sums.blex, meanContent) : Number.NaN,
    };
  }
}

/** Which columns have more than `_`, the mark of what a file leaves out. */
class FilledColumns {
  upos = false;
  feats = false;
  lemmas = false;

  add(sentence: Sentence): void {
    this.upos ||= isFilled(sentence.upos);
    this.feats ||= isFilled(sentence.feats);
    this.lemmas ||= isFilled(sentence.lemmas);
  }
}

function isFilled(column: readonly string[]): boolean {
  for (let d = 1; d < column.length; d++) if (column[d] !== '_') return true;
  return false;
}

function noCounts(): UdSentenceCounts {
  return { heads: 0, arcs: 0, goldContent: 0, predictedContent: 0, clas: 0, mlas: 0, blex: 0 };
}

const countNames = Object.keys(noCounts()) as (keyof UdSentenceCounts)[];

function countSentence(
  gold: Sentence,
  goldRelations: readonly string[],
  predicted: Sentence,
  relations: readonly string[],
): UdSentenceCounts {
  const counts = noCounts();
  const sameChildren = compareFunctionChildren(gold, goldRelations, predicted, relations);
  for (let d = 1; d <= gold.length; d++) {
    const content = contentRelations.has(goldRelations[d]!);
    if (content) counts.goldContent++;
    if (contentRelations.has(relations[d]!)) counts.predictedContent++;
    if (gold.heads[d] !== predicted.heads[d]) continue;
    counts.heads++;
    if (goldRelations[d] !== relations[d]) continue;
    counts.arcs++;
    if (!content) continue;
    counts.clas++;
    if (sameChildren[d] === 1 && sameMorphology(gold, predicted, d)) counts.mlas++;
    if (gold.lemmas[d] === '_' || gold.lemmas[d] === predicted.lemmas[d]) counts.blex++;
  }
  return counts;
}

function isUniversal(relation: string): boolean {
  return contentRelations.has(relation) || functionRelations.has(relation) || relation === 'punct';
}

/**
 * Entry h is 1 where token h has the same function-word children, alike in relation and morphology, in both
 * trees.
 */
function compareFunctionChildren(
  gold: Sentence,
  goldRelations: readonly string[],
  predicted: Sentence,
  relations: readonly string[],
): Uint8Array {
  const same = new Uint8Array(gold.length + 1).fill(1);
  for (let d = 1; d <= gold.length; d++) {
    const goldParent = functionRelations.has(goldRelations[d]!) ? gold.heads[d]! : 0;
    const parent = functionRelations.has(relations[d]!) ? predicted.heads[d]! : 0;
    const alike =
      goldParent === parent &&
      (parent === 0 || (goldRelations[d] === relations[d] && sameMorphology(gold, predicted, d)));
    if (!alike) same[goldParent] = same[parent] = 0;
  }
  return same;
}

function sameMorphology(gold: Sentence, predicted: Sentence, d: number): boolean {
  if (gold.upos[d] !== predicted.upos[d]) return false;
  const a = gold.feats[d]!;
  const b = predicted.feats[d]!;
  return a === b || universalFeatures(a) === universalFeatures(b);
}
