import type { HeaderFields } from '../../../src/model/header-fields.ts';
import { joinStrings, splitStrings } from '../../../src/model/layout.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { type GrammarTables, labelsIn } from '../grammar.ts';
import { StateCounts } from '../lexicon.ts';
import type { RuleColumns, SplitGrammar } from './split-grammar.ts';
import { leftOf, MOST_SUBSTATES, parentOf, rightOf, rowStarts, WordRows } from './split-grammar.ts';

/** Rules with their counts in the training trees. */
export interface CountedRules extends RuleColumns {
  readonly counts: Int32Array;
}

/** The coarsest grammar, whose symbols are bare labels. */
export interface CoarseTables extends Pick<GrammarTables, 'start' | 'labels' | 'occurrences'> {
  readonly rules: CountedRules;
  /** By rule: the labels of the phrases within a unary chain, from the top down. */
  readonly paths: readonly (readonly string[])[];
}

/** The grammar before splitting: its symbols are the states of the plain grammar. */
export interface FineTables {
  readonly rules: CountedRules;
  /** The coarse symbol of each symbol, and the coarse rule of each rule. */
  readonly coarseSymbols: Int32Array;
  readonly coarseRules: Int32Array;
}

/** A split grammar, and the counts of its `SubstateLexicon`. */
export type Member = { readonly grammar: SplitGrammar; readonly counts: Float32Array };

/**
 * Split grammars whose product parses, from all stages of learning with several seeds (Petrov 2010, "Products
 * of random latent variable grammars", N10-1003).
 */
export interface LatentGrammar {
  readonly coarse: CoarseTables;
  readonly fine: FineTables;
  readonly rows: WordRows;
  /** By seed, then by stage. */
  readonly members: readonly (readonly Member[])[];
}

/** Saves the sections of the grammars; returns the fields of the header. */
export function saveLatent(file: ModelWriter, { coarse, fine, rows, members }: LatentGrammar): object {
  saveRules(file, 'coarse', coarse.rules);
  file.section('coarse.occurrences', coarse.occurrences);
  saveRules(file, 'fine', fine.rules);
  file.section('fine.symbols', fine.coarseSymbols);
  file.section('fine.coarse', fine.coarseRules);
  file.section('rows', joinStrings(rows.counts.strings()));
  file.section('rows.states', rows.counts.toArray());
  for (const [seed, stages] of members.entries()) {
    for (const [stage, { grammar, counts }] of stages.entries()) {
      const name = `split.${seed}.${stage}`;
      file.section(`${name}.substates`, grammar.substates);
      file.section(`${name}.starts`, grammar.starts);
      file.section(`${name}.places`, grammar.places);
      file.section(`${name}.probabilities`, Float32Array.from(grammar.probabilities));
      file.section(`${name}.words`, counts);
    }
  }
  return {
    grammars: members.length,
    stages: members[0].length,
    start: coarse.start,
    labels: coarse.labels.map((label) => label ?? null),
    paths: coarse.paths.map((path) => path.join(' ')),
  };
}

function saveRules(file: ModelWriter, name: string, { parents, lefts, rights, counts }: CountedRules): void {
  for (const [column, numbers] of Object.entries({ parents, lefts, rights, counts }))
    file.section(`${name}.${column}`, numbers);
}

const MOST_GRAMMARS = 100;
const MOST_STAGES = 10;
const MOST = 2 ** 31 - 1;

/** Loads the split grammars of `plain`; throws `InputError` if a parse might not be a tree of all words. */
export function loadLatent(file: ModelReader, fields: HeaderFields, plain: GrammarTables, suffix: number) {
  const coarse = loadCoarse(file, fields);
  const fine = loadFine(file, coarse, plain);
  const states = plain.tags.length;
  const strings = splitStrings(file.section('rows', 'uint8'));
  const counts = StateCounts.from(strings, file.numbersOf('rows.states'), states);
  const rows = new WordRows(counts, suffix);
  const stages = Array.from({ length: fields.integer('stages', 1, MOST_STAGES) }, (_, stage) => stage);
  const seeds = Array.from({ length: fields.integer('grammars', 1, MOST_GRAMMARS) }, (_, seed) => seed);
  const members = seeds.map((seed) =>
    stages.map((stage) => loadMember(file, `split.${seed}.${stage}`, fine, states, rows)),
  );
  return { coarse, fine, rows, members };
}

function loadCoarse(file: ModelReader, fields: HeaderFields): CoarseTables {
  const labels = labelsIn(fields);
  const size = labels.length;
  const rules = loadRules(file, 'coarse', size);
  const start = fields.integer('start', 0, size - 1);
  const occurrences = file.section('coarse.occurrences', 'int32', { length: size, least: 1 });
  const paths = fields.texts('paths').map((path) => pathIn(fields, path));
  if (paths.length !== rules.parents.length) fields.refuse('paths', 'one path per rule');
  for (const [rule, parent] of rules.parents.entries()) {
    const isLabelled = paths[rule].length > 0 || labels[rules.lefts[rule]] !== undefined;
    if (parent === start && (rules.rights[rule] !== -1 || !isLabelled))
      file.refuse('section coarse.parents: the start above something else than one labelled phrase');
  }
  return { start, labels, occurrences, rules, paths };
}

function pathIn(fields: HeaderFields, path: string): string[] {
  const labels = path === '' ? [] : path.split(' ');
  const areLabels = labels.every((label) => /^[^ \t\r\n()]+$/.test(label));
  return areLabels ? labels : fields.refuse('paths', 'lists of labels');
}

function loadFine(file: ModelReader, coarse: CoarseTables, plain: GrammarTables): FineTables {
  const size = plain.tags.length;
  const rules = loadRules(file, 'fine', size);
  const most = coarse.labels.length - 1;
  const coarseSymbols = file.section('fine.symbols', 'int32', { length: size, least: 0, most });
  const { length } = rules.parents;
  const lastRule = coarse.rules.parents.length - 1;
  const coarseRules = file.section('fine.coarse', 'int32', { length, least: 0, most: lastRule });
  for (let rule = 0; rule < length; rule++) {
    const ofCoarse = (symbol: number) => (symbol === -1 ? -1 : coarseSymbols[symbol]);
    const isSame = (['parents', 'lefts', 'rights'] as const).every(
      (column) => ofCoarse(rules[column][rule]) === coarse.rules[column][coarseRules[rule]],
    );
    if (!isSame) file.refuse(`section fine.coarse: rule ${rule} does not refine rule ${coarseRules[rule]}`);
  }
  for (const [state, isTag] of plain.tags.entries()) {
    if (isTag === 1 && coarse.labels[coarseSymbols[state]] === undefined)
      file.refuse(`section fine.symbols: tag ${state} has no label`);
  }
  if (coarseSymbols[plain.start] !== coarse.start)
    file.refuse('section fine.symbols: the start does not refine the coarse start');
  return { rules, coarseSymbols, coarseRules };
}

function loadRules(file: ModelReader, name: string, symbolCount: number): CountedRules {
  const most = symbolCount - 1;
  const parents = file.section(`${name}.parents`, 'int32', { least: 0, most });
  const { length } = parents;
  return {
    parents,
    lefts: file.section(`${name}.lefts`, 'int32', { length, least: 0, most }),
    rights: file.section(`${name}.rights`, 'int32', { length, least: -1, most }),
    counts: file.section(`${name}.counts`, 'int32', { length, least: 1 }),
  };
}

function loadMember(file: ModelReader, name: string, { rules }: FineTables, states: number, rows: WordRows) {
  const ofStates = { length: states, least: 1, most: MOST_SUBSTATES };
  const substates = file.section(`${name}.substates`, 'int32', ofStates);
  const ofRules = { length: rules.parents.length + 1, least: 0, most: MOST };
  const starts = file.section(`${name}.starts`, 'int32', ofRules);
  const places = file.section(`${name}.places`, 'int32');
  const { length } = places;
  if (starts[0] !== 0 || starts.at(-1) !== length || starts.some((at, i) => i > 0 && at < starts[i - 1]))
    file.refuse(`section ${name}.starts: expected numbers that rise from 0 to ${length}`);
  checkPlaces(file, name, { rules, substates, starts, places });
  const probabilities = file.section(`${name}.probabilities`, 'float32', { length, least: 0, most: 1 });
  const grammar = { rules, substates, starts, places, probabilities: Float64Array.from(probabilities) };
  const counted = { length: rowStarts(rows, { substates }).at(-1)!, least: 0, most: MOST };
  return { grammar, counts: file.section(`${name}.words`, 'float32', counted) };
}

/** Refuses entries with substates that their symbols do not have. */
function checkPlaces(
  file: ModelReader,
  name: string,
  { rules, substates, starts, places }: Omit<SplitGrammar, 'probabilities'>,
): void {
  const count = (symbol: number) => (symbol === -1 ? 1 : substates[symbol]);
  for (let rule = 0; rule < rules.parents.length; rule++) {
    const [a, b, c] = [rules.parents[rule], rules.lefts[rule], rules.rights[rule]].map(count);
    for (let x = starts[rule]; x < starts[rule + 1]; x++) {
      const isWithin = parentOf(places[x]) < a && leftOf(places[x]) < b && rightOf(places[x]) < c;
      if (!isWithin) file.refuse(`section ${name}.places: no such substates in rule ${rule}`);
    }
  }
}
