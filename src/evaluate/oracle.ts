import { InputError, OptionError, placeText } from '../errors.ts';
import { commentIn } from '../treebank/columns/comments.ts';
import type { Sentence } from '../treebank/sentence.ts';
import type { Sentences } from './lock-step.ts';

/** The rank of a tree among those of its sentence, from the comment of `parse --n-best`; NaN without one. */
const rankOf = ({ source }: Sentence): number =>
  Number(/^(\d+) of \d+$/.exec(commentIn(source?.text ?? '', 'tree') ?? '')?.[1]);

/** Whether `parse --n-best` wrote several trees of some sentence. */
export async function hasSeveralTrees(sentences: Sentences): Promise<boolean> {
  for await (const sentence of sentences) if (rankOf(sentence) > 1) return true;
  return false;
}

/**
 * Selects the oracle tree among the k best of each sentence: the one with most right arcs (head and label), then most
 * right heads, then the first. Throws `InputError`, and `OptionError` for a file without ranks.
 */
export async function* oracleTrees(gold: Sentences, ranked: Sentences, file: string) {
  const reader = gold[Symbol.asyncIterator]();
  try {
    for await (const group of groups(ranked, file)) {
      const { value: right, done } = await reader.next();
      if (done) throw new InputError('more sentences than gold', placeOf(group[0], file));
      yield nearest(right, group, file);
    }
  } finally {
    await reader.return?.();
  }
}

async function* groups(ranked: Sentences, file: string): AsyncGenerator<Sentence[]> {
  let group: Sentence[] = [];
  for await (const sentence of ranked) {
    const number = rankOf(sentence);
    if (Number.isNaN(number)) {
      const problem = `${placeText(placeOf(sentence, file))}no comment “# tree = 1 of K”`;
      throw new OptionError((option) => `${problem}: write the trees with parse ${option('nBest')}`);
    }
    if (number !== 1 && number !== group.length + 1) {
      const next = group.length === 0 ? '' : `${group.length + 1} or `;
      throw new InputError(`tree ${number}, expected tree ${next}1`, placeOf(sentence, file));
    }
    if (number === 1 && group.length > 0) {
      yield group;
      group = [];
    }
    group.push(sentence);
  }
  if (group.length > 0) yield group;
}

function nearest(gold: Sentence, group: readonly Sentence[], file: string): Sentence {
  let best = group[0];
  let most = -1;
  for (const sentence of group) {
    const { length, heads, labels } = sentence;
    if (length !== gold.length)
      throw new InputError(`${length} tokens, gold has ${gold.length}`, placeOf(sentence, file));
    let right = 0;
    for (let d = 1; d <= length; d++) {
      if (heads[d] !== gold.heads[d]) continue;
      // A right arc with its label counts for more than all heads together.
      right += labels[d] === gold.labels[d] ? length + 1 : 1;
    }
    if (right > most) [best, most] = [sentence, right];
  }
  return best;
}

const placeOf = ({ source }: Sentence, file: string) => ({ file: source?.file ?? file, line: source?.line });
