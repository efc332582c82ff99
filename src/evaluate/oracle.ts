import { InputError, OptionError, placeText } from '../errors.ts';
import { commentIn } from '../treebank/columns/comments.ts';
import { conlluOf } from '../treebank/json/read-json.ts';
import type { TreeOfFile } from '../treebank/reading/treebank-file.ts';
import type { SentenceSource } from '../treebank/sentence.ts';
import type { PunctuationChoice, PunctuationRule } from './attachment/punctuation.ts';
import { punctuationRules, RuleCandidates } from './attachment/punctuation.ts';
import type { Sentences } from './lock-step.ts';
import { flatten } from './parseval/flat-tree.ts';
import { type PhraseScorerName, phraseScorers, scoreSentence } from './parseval/scorers.ts';

/** A tree of a file, whose text has the comments before it. */
interface Ranked {
  readonly source?:
    | (Pick<SentenceSource, 'file' | 'line' | 'text'> & Partial<Pick<SentenceSource, 'format'>>)
    | undefined;
}

/** The rank of a tree among the trees of its sentence, from the comment of `parse --n-best`; NaN without one. */
function rankOf({ source }: Ranked): number {
  const { text = '', format } = source ?? {};
  const comment = commentIn(format === 'json' ? conlluOf(text).text : text, 'tree');
  return Number(/^(\d+) of \d+$/.exec(comment ?? '')?.[1]);
}

/** Whether `parse --n-best` wrote several trees of some sentence. */
export async function hasSeveralTrees(trees: AsyncIterable<Ranked>): Promise<boolean> {
  for await (const tree of trees) if (rankOf(tree) > 1) return true;
  return false;
}

/** The punctuation rule that a choice means for a treebank. */
export async function ruleFor(gold: Sentences, choice: PunctuationChoice): Promise<PunctuationRule> {
  if (choice !== 'auto') return punctuationRules[choice];
  const candidates = new RuleCandidates(choice, () => undefined);
  for await (const sentence of gold) candidates.add(sentence, () => {});
  return punctuationRules[candidates.chosen.rule];
}

/**
 * Selects the oracle tree among the k best of each sentence: the one with most right arcs (head and label), then most
 * right heads, then the first. Tokens that the punctuation rule excludes do not count. Throws `InputError`, and
 * `OptionError` for a file without ranks.
 */
export const oracleTrees = (
  gold: Sentences,
  ranked: Sentences,
  file: string,
  rule: PunctuationRule = punctuationRules.include,
) =>
  nearestTrees(gold, ranked, file, (right) => (found) => {
    const { length, heads, labels } = found;
    if (length !== right.length)
      throw new InputError(`${length} tokens, gold has ${right.length}`, placeOf(found, file));
    let score = 0;
    for (let d = 1; d <= length; d++) {
      if (heads[d] !== right.heads[d] || rule.isPunctuation(right, d)) continue;
      // A right arc with its label counts for more than all heads together.
      score += labels[d] === right.labels[d] ? length + 1 : 1;
    }
    return score;
  });

/** Selects the oracle tree of brackets: the one with the highest F1 of its sentence, or the first of several. Throws as `oracleTrees`. */
export const oraclePhrases = (
  gold: AsyncIterable<TreeOfFile>,
  ranked: AsyncIterable<TreeOfFile>,
  file: string,
  scorer: PhraseScorerName,
) =>
  nearestTrees(gold, ranked, file, (right) => {
    const flatRight = flatten(right);
    return (found) => {
      const flatFound = flatten(found);
      // The scorer reports different words.
      if (flatRight.length !== flatFound.length) return 0;
      const score = scoreSentence(phraseScorers[scorer], flatRight, flatFound);
      return score.matched.length / Math.max(1, score.gold.length + score.predicted.length);
    };
  });

const nearestTrees = <Tree extends Ranked>(
  gold: AsyncIterable<Tree>,
  ranked: AsyncIterable<Tree>,
  file: string,
  scoreAgainst: (right: Tree) => (found: Tree) => number,
) => ({
  name: file,
  async *[Symbol.asyncIterator](): AsyncGenerator<Tree> {
    const reader = gold[Symbol.asyncIterator]();
    try {
      for await (const group of groups(ranked, file)) {
        const { value: right, done } = await reader.next();
        if (done) throw new InputError('more sentences than gold', placeOf(group[0], file));
        const scores = group.map(scoreAgainst(right));
        yield group[scores.indexOf(Math.max(...scores))];
      }
    } finally {
      await reader.return?.();
    }
  },
});

async function* groups<Tree extends Ranked>(
  ranked: AsyncIterable<Tree>,
  file: string,
): AsyncGenerator<Tree[]> {
  let group: Tree[] = [];
  for await (const tree of ranked) {
    const number = rankOf(tree);
    if (Number.isNaN(number)) {
      const problem = `${placeText(placeOf(tree, file))}no comment “# tree = 1 of K”`;
      throw new OptionError((option) => `${problem}: write the trees with parse ${option('nBest')}`);
    }
    if (number !== 1 && number !== group.length + 1) {
      const next = group.length === 0 ? '' : `${group.length + 1} or `;
      throw new InputError(`tree ${number}, expected tree ${next}1`, placeOf(tree, file));
    }
    if (number === 1 && group.length > 0) {
      yield group;
      group = [];
    }
    group.push(tree);
  }
  if (group.length > 0) yield group;
}

const placeOf = ({ source }: Ranked, file: string) => ({ file: source?.file ?? file, line: source?.line });
