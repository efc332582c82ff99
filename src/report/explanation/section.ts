import type { ParseExplanation } from '../../explain/explanation.ts';
import type { Decision, ExplainedToken, ExplainedTree } from '../../explain/shared.ts';
import type { Column, ColumnOf, TitledTable } from '../tables/table.ts';
import { count, numbers, tableOf, text } from '../tables/table.ts';

/** A section of an explanation in text or HTML: paragraphs and tables. */
export interface ExplanationSection {
  readonly title: string;
  readonly lines: readonly string[];
  readonly tables: readonly TitledTable[];
}

/** Formats a token as `saw (3)`, token 0 as `the root`. */
export const named = (tokens: readonly ExplainedToken[], d: number): string =>
  d === 0 ? 'the root' : `${tokens[d]?.form} (${d})`;

/** Formats an arc as `nsubj of saw (3)`, or `root of the sentence`. */
export const namedArc = (
  tokens: readonly ExplainedToken[],
  label: string | undefined,
  head: number,
): string => `${label} of ${head === 0 ? 'the sentence' : named(tokens, head)}`;

export const namedAll = (tokens: readonly ExplainedToken[], all: readonly number[]): string =>
  all.map((d) => named(tokens, d)).join(', ');

/** Returns the parser's own explanation, also for a pipeline; undefined for a pipeline without a parser. */
export const parserExplanation = (explained: ParseExplanation) =>
  explained.paradigm === 'pipeline' ? explained.parser : explained;

export function liftedLine({ tree, built }: Pick<ParseExplanation, 'tree' | 'built'>): string[] {
  if (built === undefined) return [];
  const moved = tree.heads.filter((head, d) => head !== built.heads[d]).length;
  return [`Lifted arcs restored from their labels (pseudo-projective parsing): ${moved}.`];
}

export function shownScore(score: number): string {
  const isWhole = Number.isInteger(score) || Math.abs(score) >= 1000;
  const text = isWhole ? count(score) : score.toFixed(Math.abs(score) < 100 ? 3 : 1);
  return text.replace('-', '−');
}

/** The tree that the search found, before lifted arcs were restored. */
export const builtTree = ({ tree, built = tree }: Pick<ParseExplanation, 'tree' | 'built'>): ExplainedTree =>
  built;

/** Maximum rows per table; the others are summed in one more row. */
const MOST = 15;

/** The contributions of a feature, or of all features of a template, to the scores of two alternatives. */
type PairedWeight = Readonly<Record<'template' | 'feature', string> & Record<'first' | 'second', number>>;

/** Tables of what contributes to a decision, by template and by feature. */
export function decisionTables(what: string, decision: Decision): TitledTable[] {
  const { alternatives, against, margin } = decision;
  const [chosen, other] = alternatives;
  const weighed = pairedWeights(decision);
  const names = alternatives.map(({ name }) => name).join(' or ');
  const scores = alternatives.map(({ score }) => shownScore(score));
  const rival = { gold: 'the right answer', 'runner-up': 'the runner-up', nothing: '' }[against];
  const note =
    other === undefined || margin === null
      ? `${chosen.name} scores ${scores[0]}; there was no alternative.`
      : `${chosen.name} scores ${scores[0]}; ${rival}, ${other.name}, ${scores[1]}: a difference of ${shownScore(margin)}.`;
  if (weighed.length === 0) return [{ title: `${what}: ${names}`, table: tableOf([], []), notes: [note] }];
  const title = (by: string) => `${what}: ${names}, ${by}`;
  return [
    { title: title('by template'), table: weightTable(byTemplate(weighed), decision, false), notes: [note] },
    { title: title('by feature'), table: weightTable(weighed, decision, true), notes: [] },
  ];
}

/** Pairs the contributions of each feature to both alternatives. */
function pairedWeights({ alternatives }: Decision): PairedWeight[] {
  const rows = new Map<string, PairedWeight>();
  alternatives.forEach(({ contributions }, i) => {
    for (const { template, feature, weight } of contributions) {
      const key = `${template}\t${feature}`;
      const { first, second } = rows.get(key) ?? { first: 0, second: 0 };
      const added = i === 0 ? { first: first + weight, second } : { first, second: second + weight };
      rows.set(key, { template, feature, ...added });
    }
  });
  return byDifference([...rows.values()]);
}

function byTemplate(weighed: readonly PairedWeight[]): PairedWeight[] {
  return byDifference(
    [...new Set(weighed.map(({ template }) => template))].map((template) => {
      return { template, feature: '', ...sumOf(weighed.filter((row) => row.template === template)) };
    }),
  );
}

const byDifference = (rows: readonly PairedWeight[]): PairedWeight[] =>
  rows.toSorted((a, b) => Math.abs(b.first - b.second) - Math.abs(a.first - a.second));

function sumOf(rows: readonly PairedWeight[]): Pick<PairedWeight, 'first' | 'second'> {
  const sum = (which: 'first' | 'second') => rows.reduce((all, row) => all + row[which], 0);
  return { first: sum('first'), second: sum('second') };
}

function weightTable(rows: readonly PairedWeight[], { alternatives }: Decision, withFeatures: boolean) {
  const rest = rows.slice(MOST);
  const shown =
    rest.length === 0
      ? rows
      : [...rows.slice(0, MOST), { template: `${rest.length} more`, feature: '', ...sumOf(rest) }];
  const total = { template: 'all', feature: '', ...sumOf(rows) };
  const columns: ColumnOf<PairedWeight>[] = [text('template')];
  if (withFeatures) columns.push(text('feature'));
  columns.push({ ...weights('first', alternatives[0].name), isName: true });
  if (alternatives.length > 1) {
    columns.push({ ...weights('second', alternatives[1].name), isName: true });
    columns.push([weights('difference', 'difference'), ({ first, second }) => first - second]);
  }
  return tableOf([...shown, total], columns);
}

export const weights = <Key extends string>(key: Key, title: string): Column<Key> =>
  numbers(key, title, shownScore);
