import { InputError } from '../errors.ts';
import type { Sentence } from '../treebank/sentence.ts';
import type { Sentences } from './lock-step.ts';

/** The comment that `parse --n-best` writes: the tree's rank among the trees of its sentence. */
const NUMBER = /^# tree = (\d+) of \d+\s*$/m;

/**
 * Selects the oracle tree among the k best of each sentence: the one with most right arcs (head and label), then most
 * right heads, then the first. Throws `InputError`.
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
    const number = Number(NUMBER.exec(sentence.source?.text ?? '')?.[1]);
    if (!(number === 1 || number === group.length + 1)) {
      const found = Number.isNaN(number) ? 'no comment “# tree = 1 of 5”' : `tree ${number}`;
      throw new InputError(`${found}, expected tree ${group.length + 1} or 1`, placeOf(sentence, file));
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
