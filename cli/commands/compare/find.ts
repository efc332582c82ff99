import { UsageError } from '../../../src/errors.ts';
import { ELSEWHERE, NOT_THERE } from '../../../src/evaluate/alignment/counterpart.ts';
import type { FoundWord, WordConditions } from '../../../src/evaluate/compared-sentence.ts';
import { findWords, isRight } from '../../../src/evaluate/compared-sentence.ts';
import { csvTable, type Table, tableOf, text } from '../../../src/report/tables/table.ts';
import type { DependencyTree } from '../../../src/treebank/sentence.ts';
import { plural, printJson, printText } from '../../terminal/output.ts';
import { tablePages } from '../../terminal/tables.ts';
import { type CompareFlags, compareFiles, type TypedConditions } from './options.ts';

type ListedWord = ReturnType<typeof listed>;

/** The arc to a word; null where the parser has no such word, head or label. */
interface ListedArc {
  readonly head: number | null;
  readonly headForm: string | null;
  readonly label: string | null;
}

/** `compare --find`: lists the words that meet all conditions, with each parser's arc. */
export async function find(
  goldFile: string,
  predictedFiles: readonly string[],
  flags: CompareFlags,
  conditions: TypedConditions,
): Promise<void> {
  const untested = { ...flags, by: [], rounds: 1 };
  const { comparison, sentences } = await compareFiles(goldFile, predictedFiles, untested);
  const { labelled } = comparison;
  const names = comparison.parsers.map(({ name }) => name);
  const found: ListedWord[] = [];
  const words = findWords(sentences, queryOf(conditions, names), labelled);
  for await (const word of words) found.push(listed(word, names, labelled));
  show(found, names, flags);
}

/** Turns the conditions into a query, with numbers for parsers' names; throws `UsageError` for an unknown name. */
function queryOf(conditions: TypedConditions, names: readonly string[]): WordConditions {
  const values = (property: string) =>
    conditions.filter(([name]) => name === property).map(([, value]) => value);
  const numbers = (property: string) =>
    values(property).map((name) => {
      if (names.includes(name)) return names.indexOf(name);
      throw new UsageError(`--find: no parser is called “${name}”, expected one of ${names.join(', ')}`);
    });
  const only = (property: string) => {
    const [value, second] = values(property);
    if (second !== undefined)
      throw new UsageError(`--find: one ${property} at most, found ${value} and ${second}`);
    return value;
  };
  const others = (property: string) =>
    numbers(property).flatMap((only) => [...names.keys()].filter((parser) => parser !== only));
  return {
    right: [...numbers('right'), ...numbers('only-right'), ...others('only-wrong')],
    wrong: [...numbers('wrong'), ...numbers('only-wrong'), ...others('only-right')],
    label: only('label'),
    tag: only('tag'),
  };
}

function listed(
  { number, sentence: { gold, trees }, d }: FoundWord,
  names: readonly string[],
  labelled: boolean,
) {
  const arcOf = ({ heads, labels }: DependencyTree): ListedArc => {
    const head = heads[d] === ELSEWHERE || heads[d] === NOT_THERE ? null : heads[d];
    const headForm = head === null || head === 0 ? null : gold.forms[head];
    return { head, headForm, label: heads[d] === NOT_THERE ? null : labels[d] };
  };
  const parsers = trees.map((tree, parser) => {
    return { name: names[parser], right: isRight(gold, tree, d, labelled), ...arcOf(tree) };
  });
  return { sentence: number, id: gold.id, token: d, form: gold.forms[d], gold: arcOf(gold), parsers };
}

function show(found: readonly ListedWord[], names: readonly string[], { to, limit }: CompareFlags): void {
  const shown = found.slice(0, limit);
  if (to === 'json') printJson(shown);
  else if (to === 'csv') printText(csvTable(wordTable(shown, names)));
  else {
    const sentences = new Set(found.map(({ sentence }) => sentence)).size;
    const head = [`${plural(found.length, 'word')} in ${plural(sentences, 'sentence')}.`];
    const table = { title: 'Words', table: wordTable(shown, names), notes: [] };
    printText(...tablePages[to]({ head, tables: shown.length === 0 ? [] : [table] }));
  }
}

function wordTable(found: readonly ListedWord[], names: readonly string[]): Table {
  return tableOf(found, [
    [{ key: 'sentence', title: 'sentence', align: 'right' }, ({ sentence }) => sentence],
    [{ key: 'token', title: 'token', align: 'right' }, ({ token }) => token],
    [text('form', 'word'), ({ form }) => form],
    [text('gold'), ({ gold }) => arcText(gold)],
    ...names.map((name, parser) => {
      const cell = ({ parsers }: ListedWord) => (parsers[parser].right ? '✓' : arcText(parsers[parser]));
      return [text(name), cell] as const;
    }),
    [text('id'), ({ id }) => id ?? null],
  ]);
}

/** `obl of went (3)`. */
function arcText({ head, headForm, label }: ListedArc): string {
  if (label === null) return 'no such word';
  if (head === null) return `${label} of a word elsewhere`;
  return head === 0 ? `${label} of the sentence` : `${label} of ${headForm} (${head})`;
}
