import { verdict } from '../../trees/verdict.ts';
import type { ShownSentence } from '../sentences/sentence-data.ts';

/**
 * Which sentences are shown: those of a length, with a word for which all the rest holds. The empty string asks
 * for nothing. The names are those of the form's fields, and of the fields of the page's address.
 */
export interface SentenceFilter {
  /** Part of the word, in any case. */
  readonly word: string;
  /** The word's label in gold. */
  readonly gold: string;
  /** The label that a parser gives: the one that is wrong, where `wrong` names one, else any. */
  readonly predicted: string;
  /** The index of a parser that is right about head and label, or `any` or `every` parser. */
  readonly right: string;
  /** The index of a parser that is wrong about head or label, or `any` or `every` parser. */
  readonly wrong: string;
  /** Fewest words of the sentence. */
  readonly from: string;
  /** Most words of the sentence. */
  readonly to: string;
}

export const noFilter: SentenceFilter = {
  word: '',
  gold: '',
  predicted: '',
  right: '',
  wrong: '',
  from: '',
  to: '',
};

/**
 * The words of a sentence that a filter asks for: none where it asks only for a length; `undefined` where the
 * sentence is not to be shown.
 */
export function matchingTokens(sentence: ShownSentence, filter: SentenceFilter): number[] | undefined {
  const n = sentence.forms.length - 1;
  if (filter.from !== '' && n < Number(filter.from)) return undefined;
  if (filter.to !== '' && n > Number(filter.to)) return undefined;
  const conditions = tokenConditions(sentence, filter);
  if (conditions.length === 0) return [];
  const tokens: number[] = [];
  for (let d = 1; d <= n; d++) if (conditions.every((holds) => holds(d))) tokens.push(d);
  return tokens.length > 0 ? tokens : undefined;
}

/** Whether a parser is wrong about a token that is scored. */
export function isWrong({ gold, trees, scored }: ShownSentence, parser: number, d: number): boolean {
  return scored[d] !== 0 && verdict(gold, trees[parser], d) !== 'right';
}

function tokenConditions(sentence: ShownSentence, filter: SentenceFilter): ((d: number) => boolean)[] {
  const { forms, gold, trees, scored } = sentence;
  const parsers = [...trees.keys()];
  const word = folded(filter.word);
  const labelling = parsers.includes(Number(filter.wrong || Number.NaN)) ? [Number(filter.wrong)] : parsers;
  const some = (which: string, holds: (parser: number) => boolean) => {
    if (which === 'any') return parsers.some(holds);
    return which === 'every' ? parsers.every(holds) : holds(Number(which));
  };
  const conditions: [string, (d: number) => boolean][] = [
    [filter.word, (d) => folded(forms[d]).includes(word)],
    [filter.gold, (d) => gold.labels[d] === filter.gold],
    [filter.predicted, (d) => labelling.some((parser) => trees[parser].labels[d] === filter.predicted)],
    [filter.right, (d) => scored[d] !== 0 && some(filter.right, (parser) => !isWrong(sentence, parser, d))],
    [filter.wrong, (d) => some(filter.wrong, (parser) => isWrong(sentence, parser, d))],
  ];
  return conditions.filter(([asked]) => asked !== '').map(([, holds]) => holds);
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
