import { UsageError } from '../../errors.ts';
import { didYouMean } from '../../similar.ts';
import { columnTitles, type StringColumn } from '../columns/names.ts';
import { type DependencyTree, isValue, type Sentence } from '../sentence.ts';
import type { Condition, NodeCondition, Value } from './syntax.ts';

/** A sentence to be searched, with the trees of the parsers that a query may name. */
export type Searched = { readonly sentence: Sentence; readonly trees: readonly DependencyTree[] };
export type Test = (searched: Searched, d: number) => boolean;

/** Other names of columns. */
const aliases: ReadonlyMap<string, StringColumn> = new Map([
  ['form', 'forms'],
  ['word', 'forms'],
  ['lemma', 'lemmas'],
  ['tag', 'upos'],
  ['label', 'labels'],
  ['deprel', 'labels'],
]);

/** Reads a property of a token: a column, or a feature in FEATS or, failing that, MISC; undefined if it has none. */
export type Property = (sentence: Sentence, d: number) => string | undefined;

/** The columns in which a property is looked up. */
export function columnsOfProperty(name: string): readonly StringColumn[] {
  const column = columnNamed(name);
  return column === undefined ? ['feats', 'misc'] : [column];
}

/** The column of a name, which may be in capitals, as in the documentation of CoNLL-U. */
function columnNamed(name: string): StringColumn | undefined {
  const lower = name === name.toUpperCase() ? name.toLowerCase() : name;
  return aliases.get(lower) ?? (Object.hasOwn(columnTitles, lower) ? (lower as StringColumn) : undefined);
}

/** Returns the reader of a property; throws `UsageError` for what looks like a misspelt column. */
export function propertyNamed(name: string): Property {
  const column = columnNamed(name);
  if (column !== undefined)
    return (sentence, d) => {
      const value = sentence[column][d];
      return value === '_' && column !== 'forms' ? undefined : value;
    };
  const known = [...aliases.keys(), ...Object.keys(columnTitles)];
  if (/^\p{Ll}/u.test(name) && didYouMean(name, known) !== '')
    throw new UsageError(`query: no property ${name}${didYouMean(name, known)}`);
  const start = `${name}=`;
  return ({ feats, misc }, d) => featureIn(feats[d], start) ?? featureIn(misc[d], start);
}

/** Finds the value of a feature in FEATS or MISC; `start` is its name and `=`. */
function featureIn(features: string, start: string): string | undefined {
  let at = features.startsWith(start) ? 0 : features.indexOf(`|${start}`) + 1;
  if (at === 0 && !features.startsWith(start)) return undefined;
  at += start.length;
  const end = features.indexOf('|', at);
  return end < 0 ? features.slice(at) : features.slice(at, end);
}

export function valueTest({ values, negated }: Condition): (value: string | undefined) => boolean {
  if (values === undefined) return (value) => (value !== undefined) !== negated;
  const isOne = alternatives(values);
  // As in grew: a token without the property fulfils neither = nor <>.
  return (value) => value !== undefined && isOne(value) !== negated;
}

function alternatives(values: readonly Value[]): (value: string) => boolean {
  const [only] = values;
  if (values.length === 1)
    return typeof only === 'string' ? (value) => value === only : (value) => only!.test(value);
  const texts = new Set(values.filter((value) => typeof value === 'string'));
  const patterns = values.filter((value) => typeof value !== 'string');
  return (value) => texts.has(value) || patterns.some((pattern) => pattern.test(value));
}

/** Conditions on parsers' trees; their values are names of parsers. */
const verdicts: readonly string[] = ['right', 'wrong', 'only-right', 'only-wrong', 'differ'];
export const isVerdict = (name: string): boolean => verdicts.includes(name);

export function nodeTest(condition: NodeCondition, parsers: readonly string[]): Test {
  const { name } = condition;
  if (isVerdict(name)) return verdictTest(condition, parsers);
  const property = propertyNamed(name);
  const test = valueTest(condition);
  return ({ sentence }, d) => test(property(sentence, d));
}

function verdictTest({ name, values, negated }: NodeCondition, parsers: readonly string[]): Test {
  if (parsers.length === 0)
    throw new UsageError(`query: ${name} needs several files: gold and parsers’ output`);
  if (name === 'differ') {
    if (values !== undefined) throw new UsageError('query: differ takes no value');
    return ({ sentence, trees }, d) => trees.some((tree) => !isSame(tree, trees[0], d, sentence)) !== negated;
  }
  const named = (values ?? []).map((value) => parsers.indexOf(String(value)));
  if (named.length === 0 || named.includes(-1))
    throw new UsageError(`query: ${name} needs the name of a parser: ${parsers.join(', ')}`);
  const wanted = name.endsWith('right');
  const isOnly = name.startsWith('only');
  return ({ sentence, trees }, d) => {
    const isWanted = (i: number) => isSame(trees[i], sentence, d, sentence) === wanted;
    const others = () => trees.some((_, i) => !named.includes(i) && isWanted(i));
    return (named.every(isWanted) && !(isOnly && others())) !== negated;
  };
}

/** Whether two trees agree on a token; labels count unless the gold tree has none. */
const isSame = (a: DependencyTree, b: DependencyTree, d: number, gold: DependencyTree): boolean =>
  a.heads[d] === b.heads[d] && (a.labels[d] === b.labels[d] || !gold.labels.some(isValue));
