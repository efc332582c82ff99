import type { Sentence } from '../../treebank/sentence.ts';
import { percent } from '../percent.ts';

/**
 * F1 scores in percent as the UD evaluation script gives them; precision equals recall but for the content
 * words.
 */
export interface UdScores {
  readonly uas: number;
  readonly las: number;
  readonly clas: number;
  readonly mlas: number;
  readonly blex: number;
}

const words = (text: string) => new Set(text.split(' '));

const contentRelations = words(
  'nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl amod ' +
    'conj fixed flat compound list parataxis orphan goeswith reparandum root dep',
);
const functionRelations = words('aux cop mark det clf case cc');
const universalFeatureNames = words(
  'PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect ' +
    'Voice Evident Polarity Person Polite',
);

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
  private heads = 0;
  private arcs = 0;
  private goldContent = 0;
  private predictedContent = 0;
  private clas = 0;
  private mlas = 0;
  private blex = 0;
  /** Whether every gold relation so far is one of UD version 2; the scores mean nothing elsewhere. */
  private universal = true;

  add(gold: Sentence, predicted: Sentence): void {
    const goldRelations = gold.labels.map(universalRelation);
    const relations = predicted.labels.map(universalRelation);
    const sameChildren = compareFunctionChildren(gold, goldRelations, predicted, relations);
    this.words += gold.length;
    for (let d = 1; d <= gold.length; d++) {
      const relation = goldRelations[d]!;
      const content = contentRelations.has(relation);
      if (content) this.goldContent++;
      else if (!functionRelations.has(relation) && relation !== 'punct') this.universal = false;
      if (contentRelations.has(relations[d]!)) this.predictedContent++;
      if (gold.heads[d] !== predicted.heads[d]) continue;
      this.heads++;
      if (relation !== relations[d]) continue;
      this.arcs++;
      if (!content) continue;
      this.clas++;
      if (sameChildren[d] === 1 && sameMorphology(gold, predicted, d)) this.mlas++;
      if (gold.lemmas[d] === '_' || gold.lemmas[d] === predicted.lemmas[d]) this.blex++;
    }
  }

  /** The scores; undefined where a gold relation is not one of UD version 2. */
  scores(): UdScores | undefined {
    if (!this.universal) return undefined;
    const meanContent = (this.goldContent + this.predictedContent) / 2;
    return {
      uas: percent(this.heads, this.words),
      las: percent(this.arcs, this.words),
      clas: percent(this.clas, meanContent),
      mlas: percent(this.mlas, meanContent),
      blex: percent(this.blex, meanContent),
    };
  }
}

/** The relation without its subtype. */
function universalRelation(label: string): string {
  const colon = label.indexOf(':');
  return colon < 0 ? label : label.slice(0, colon);
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

/** The features whose names are universal, sorted. */
function universalFeatures(feats: string): string {
  return feats
    .split('|')
    .filter((feature) => universalFeatureNames.has(feature.split('=', 1)[0]!))
    .sort()
    .join('|');
}
