import type { AnnotatedColumn } from '../src/treebank/columns/names.ts';
import type { Parse, Parser, UnseenValue } from './parser.ts';

/** The columns that several parsers read, and of these the largest share that was filled of what one was trained on. */
export function jointlyRead(parsers: readonly Pick<Parser, 'reads' | 'filled'>[]): {
  readonly reads: AnnotatedColumn[];
  readonly filled: Readonly<Partial<Record<AnnotatedColumn, number>>>;
} {
  const reads = [...new Set(parsers.flatMap((parser) => parser.reads))];
  const shares = (column: AnnotatedColumn) =>
    parsers.filter((parser) => parser.reads.includes(column)).map(({ filled }) => filled?.[column] ?? 1);
  const filled = Object.fromEntries(reads.map((column) => [column, Math.max(...shares(column))]));
  return { reads, filled };
}

/** What was new to any of several parsers. */
export function jointlyUnseen(parses: readonly Parse[]): UnseenValue[] | undefined {
  const all = parses.flatMap(({ unseen = [] }) => unseen);
  if (all.length === 0) return undefined;
  return [...new Map(all.map((one) => [`${one.column} ${one.token}`, one])).values()];
}
