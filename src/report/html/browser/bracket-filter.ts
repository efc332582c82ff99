import type { BracketDifferences } from '../../../evaluate/comparison/compare-phrases.ts';
import { bracketDifferences, relabelledBrackets } from '../../../evaluate/comparison/compare-phrases.ts';
import { type Bracket, flatten } from '../../../evaluate/parseval/flat-tree.ts';
import { phraseScorers, scoreSentence } from '../../../evaluate/parseval/scorers.ts';
import type { ShownSentence } from '../sentences/sentence-data.ts';

export type BracketFilter = Readonly<
  Record<
    /** `gold`, or a parser's: `missing-0`, `wrong-0`, `crossing-0`, `error-0` (missing or wrong), `relabelled-0`. */
    | 'brackets'
    | 'phrase'
    /** The other label that the parser gives the same words. */
    | 'given-phrase'
    /** The number of words, without punctuation as in EVALB. */
    | 'span',
    string
  >
>;

export function matchingBrackets({ phrases }: ShownSentence, filter: BracketFilter): Bracket[] {
  if (phrases === undefined) return [];
  const [kind, parser = '0'] = filter.brackets.split('-');
  const predicted = phrases.trees[Number(parser)];
  const [gold, given] = [phrases.gold, predicted].map((tree) => flatten({ tree }));
  const places = new Map([...gold.brackets, ...given.brackets].map((bracket) => [bracket.node, bracket]));
  const score = scoreSentence(phraseScorers.evalb, gold, given);
  return candidates(kind, score.gold, bracketDifferences(score))
    .filter(
      ({ bracket, given = '' }) =>
        (filter.phrase === '' || bracket.label === filter.phrase) &&
        (filter['given-phrase'] === '' || given === filter['given-phrase']) &&
        (filter.span === '' || isInBucket(String(bracket.end - bracket.start), filter.span)),
    )
    .map(({ bracket: { node } }) => places.get(node)!);
}

function candidates(
  kind: string,
  gold: readonly Bracket[],
  differences: BracketDifferences,
): readonly { bracket: Bracket; given?: string }[] {
  const { missing, wrong } = differences;
  if (kind === 'relabelled') return relabelledBrackets(differences);
  const brackets = kind === 'error' ? [...missing, ...wrong] : (differences[kind as 'wrong'] ?? gold);
  return brackets.map((bracket) => ({ bracket }));
}

/** Whether each word (from 1) is in a matching bracket; undefined without conditions. */
export function isInBrackets(sentence: ShownSentence, filter: BracketFilter) {
  if (filter.brackets + filter.phrase + filter['given-phrase'] + filter.span === '') return undefined;
  const brackets = matchingBrackets(sentence, filter);
  return (d: number) => brackets.some(({ start, end }) => start < d && d <= end);
}

/** Whether a bucket matches `7`, `7-10`, `7-` (or more), or its name. */
export function isInBucket(bucket: string, asked: string): boolean {
  if (bucket === asked) return true;
  const [, from, to] = /^(\d+)-(\d*)$/.exec(asked) ?? [];
  return from !== undefined && Number(bucket) >= Number(from) && (to === '' || Number(bucket) <= Number(to));
}

/** @throws SyntaxError for what matches no bucket */
export function checkRange(asked: string): void {
  if (asked === '' || /^(\d+(-\d*)?|root|cycle)$/.test(asked)) return;
  throw new SyntaxError(`${asked} is neither a number, nor a range such as 7-10 or 7-, nor root or cycle`);
}
