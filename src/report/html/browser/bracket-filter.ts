import {
  type BracketDifferences,
  bracketDifferences,
  relabelledBrackets,
} from '../../../evaluate/parseval/bracket-errors.ts';
import { type Bracket, flatten } from '../../../evaluate/parseval/flat-tree.ts';
import { phraseScorers, scoreSentence } from '../../../evaluate/parseval/scorers.ts';
import type { ShownSentence } from '../sentences/sentence-data.ts';

/** Which brackets are asked for. The empty string asks for nothing. */
export type BracketFilter = Readonly<
  Record<
    /**
     * `gold`, also where only the rest is asked for; or with the index of a parser those that are `missing-0`, `wrong-0`,
     * `crossing-0`, all that are missing or wrong: `error-0`, or have another label: `relabelled-0`.
     */
    | 'brackets'
    /** Their label. */
    | 'phrase'
    /** The label that the parser has over the same words, where that is another one. */
    | 'given-phrase'
    /** How many words they have, as EVALB counts them: without punctuation. */
    | 'span',
    string
  >
>;

/** A bracket, and the label that a parser gives instead. */
interface Candidate {
  readonly bracket: Bracket;
  readonly given?: string;
}

/** The brackets of a sentence for which all holds that is asked of them, over all of its words. */
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
): readonly Candidate[] {
  const { missing, wrong } = differences;
  if (kind === 'relabelled') return relabelledBrackets(differences);
  const brackets = kind === 'error' ? [...missing, ...wrong] : (differences[kind as 'wrong'] ?? gold);
  return brackets.map((bracket) => ({ bracket }));
}

/** Whether each word (from 1) is in such a bracket; undefined where none is asked for. */
export function isInBrackets(
  sentence: ShownSentence,
  filter: BracketFilter,
): ((d: number) => boolean) | undefined {
  if (filter.brackets + filter.phrase + filter['given-phrase'] + filter.span === '') return undefined;
  const brackets = matchingBrackets(sentence, filter);
  return (d) => brackets.some(({ start, end }) => start < d && d <= end);
}

/** Whether a bucket is what is asked for: `7`, `7-10`, `7-` (and more), or its name. */
export function isInBucket(bucket: string, asked: string): boolean {
  if (bucket === asked) return true;
  const [, from, to] = /^(\d+)-(\d*)$/.exec(asked) ?? [];
  return from !== undefined && Number(bucket) >= Number(from) && (to === '' || Number(bucket) <= Number(to));
}

/** Throws a `SyntaxError` for what no bucket can be asked for by. */
export function checkRange(asked: string): void {
  if (asked === '' || /^(\d+(-\d*)?|root|cycle)$/.test(asked)) return;
  throw new SyntaxError(`${asked} is neither a number, nor a range such as 7-10 or 7-, nor root or cycle`);
}
