import { punctuationRules } from '../../src/evaluate/attachment/punctuation.ts';
import { annotatedColumns, columnScores } from '../../src/evaluate/column-counts.ts';
import { phraseScorers } from '../../src/evaluate/parseval/scorers.ts';
import type { TrainedSettings } from '../definition/layout.ts';
import type { Cell, OtherTreebank, Plan } from '../definition/plan.ts';
import type { SurveyedTreebank } from '../definition/treebanks.ts';
import { figures, type Run } from './figures.ts';
import type { FilledCell, FilledCells } from './fill.ts';

/** What a reader of the table must know to judge it, and to make it again: one line each. */
export function provenance(cells: FilledCells, plan: Plan, command: string): string[] {
  const all = cells.flat();
  return [
    `Made by: ${command}`,
    ...unique(all.map(({ cell }) => treebankLine(cell))),
    ...limitLines(all, plan),
    ...lengthLines(all),
    ...tagLines(all),
    `Seeds: ${told(trained(all), ({ settings }) => ranges(settings.seeds))}.${spreadNote(all)}`,
    ...voteLines(all),
    ...punctuationLines(all, plan),
    ...bracketLines(all, plan),
    ...testLines(plan),
    ...measurementLines(plan),
    ...shortageLines(all),
  ];
}

/** `UD English EWT: train en_ewt-ud-train.conllu (12,544 sentences, SHA-256 3fb78e2b5548…), dev …`. */
function treebankLine({ treebank, scoredOn, available }: Cell): string {
  const { title, train } = treebank;
  const learnt = `train ${fileText(train)}`;
  const dev = scoredOn?.dev ?? treebank.dev;
  const owner = scoredOn === undefined ? 'dev' : `scored on ${scoredOn.title}, dev`;
  if (dev !== undefined) return `${title}: ${learnt}, ${owner} ${fileText(dev)}.`;
  const heldOut = (train.sentences - available).toLocaleString('en-US');
  return `${title}: ${learnt}; it has no dev part: the last ${heldOut} sentences are held out.`;
}

function fileText({ path, sentences, digest }: SurveyedTreebank['train']): string {
  const name = path.replace(/^.*[/\\]/, '');
  return `${name} (${sentences.toLocaleString('en-US')} sentences, SHA-256 ${digest.slice(0, 12)}…)`;
}

/** A cell that is not made of others. */
type TrainedCell = Cell & { readonly settings: TrainedSettings };

function trained(all: readonly FilledCell[]): TrainedCell[] {
  return all.map(({ cell }) => cell).filter((cell): cell is TrainedCell => !('of' in cell.settings));
}

/**
 * A fact of all cells; where it is not the same for all: of each row, or else each column, or else each cell.
 */
function told<C extends Cell>(all: readonly C[], fact: (cell: C) => string): string {
  const ways: ((cell: Cell) => string)[] = [() => '', ({ row }) => row, ({ column }) => column];
  const settles = (name: (cell: Cell) => string) =>
    all.every((a) => all.every((b) => name(a) !== name(b) || fact(a) === fact(b)));
  const name = ways.find(settles) ?? (({ row, column }) => `${row}, ${column}`);
  const values = unique(all.map(fact));
  if (values.length === 1) return values[0];
  const namesOf = (value: string) => unique(all.filter((cell) => fact(cell) === value).map(name));
  // `1 (Baseline, + Averaging); 1–10 (+ Shuffling)`
  return values.map((value) => `${value} (${namesOf(value).join(', ')})`).join('; ');
}

function limitLines(all: readonly FilledCell[], { experiment: { sweep } }: Plan): string[] {
  const cells = trained(all);
  if (sweep?.option === 'trainSentences') return [];
  if (cells.every(({ settings }) => settings.trainSentences === undefined)) return [];
  const limit = told(cells, ({ trainSentences, available }) =>
    trainSentences < available
      ? `the first ${trainSentences.toLocaleString('en-US')} sentences`
      : 'all sentences',
  );
  return [`Learnt from: ${limit}.`];
}

function lengthLines(all: readonly FilledCell[]): string[] {
  const cells = trained(all);
  if (cells.every(({ settings }) => settings.maxTokens === undefined)) return [];
  const limit = told(cells, ({ settings: { maxTokens } }) =>
    maxTokens === undefined ? 'all lengths' : `at most ${maxTokens} tokens`,
  );
  return [`Scored: sentences of ${limit}.`];
}

/** Whose tags the parsers saw, and how good a tagger's are. */
function tagLines(all: readonly FilledCell[]): string[] {
  const isTagged = ({ settings }: Cell) => !('of' in settings) && settings.tags !== 'gold';
  const tagged = all.flatMap(({ cell, runs: [run] }) =>
    run !== undefined && isTagged(cell) ? [{ ...cell, run }] : [],
  );
  const quality = told(tagged, ({ run }) => accuracies(run));
  return [
    `Tags and lemmas: ${told(trained(all), tagText)}.`,
    ...(tagged.length === 0 ? [] : [`Right in the sentences that are scored: ${quality}.`]),
  ];
}

function tagText({ settings: { tags, folds }, taggedBy }: TrainedCell): string {
  if (tags === 'gold') return 'gold';
  const learnt = taggedBy === undefined ? 'what the parser learns from' : otherText(taggedBy);
  const tagger = `a tagger that is learnt from ${learnt}`;
  if (tags === 'predicted-at-test') return `gold to learn from, to be parsed by ${tagger}`;
  const beside = tags === 'both' ? 'gold and ' : '';
  return taggedBy === undefined
    ? `${beside}jack-knifed in ${folds} folds to learn from, to be parsed by ${tagger}`
    : `${beside}by ${tagger}`;
}

/** `GENIA, the first 1,225 of dev.conllu (1,361 sentences, …)`. */
function otherText({ title, train, learnt }: OtherTreebank): string {
  const first = learnt < train.sentences ? `the first ${learnt.toLocaleString('en-US')} of ` : '';
  return `${title}, ${first}${fileText(train)}`;
}

/** `UPOS 94.30 %, UFeats 88.54 %`. */
function accuracies({ result: { tags } }: Run): string {
  return annotatedColumns
    .filter((column) => tags[column] != null)
    .map((column) => `${columnScores[column]} ${tags[column]!.toFixed(2)} %`)
    .join(', ');
}

function spreadNote(all: readonly FilledCell[]): string {
  const several = all.filter(({ cell }) => cell.jobs.length > 1);
  const statistics = new Set(several.map(({ cell }) => cell.settings.statistic));
  const notes: string[] = [];
  if (statistics.has('mean')) notes.push(' Mean ± standard deviation over the seeds.');
  if (statistics.has('best') || statistics.has('worst')) {
    notes.push(' The best and the worst run are chosen for each figure by itself.');
  }
  return notes.join('');
}

/** How votes are honest: what members and weights are learnt from. */
function voteLines(all: readonly FilledCell[]): string[] {
  const jobs = all.flatMap(({ runs }) => runs.map(({ result }) => result.job));
  const sizes = jobs.flatMap((job) => {
    if (job.kind !== 'vote' || job.setAside === undefined) return [];
    const { from, to } = job.setAside.test;
    return [`${(to - from).toLocaleString('en-US')} of ${to.toLocaleString('en-US')}`];
  });
  if (sizes.length === 0) return [];
  const parts = unique(sizes).join(', ');
  return [
    `Weights of votes: learnt from the last training sentences (${parts}), which the same parsers have parsed, trained on the others; the members themselves learn from all.`,
  ];
}

/** The rules that were used, and where (`auto` has become one of them), and how many tokens they left out. */
function punctuationLines(all: readonly FilledCell[], { experiment: { report } }: Plan): string[] {
  const scored = all.flatMap(({ cell, runs: [run] }) => (run === undefined ? [] : [{ ...cell, run }]));
  if (scored.length === 0 || !report.some((name) => figures[name].kind === 'dependencies')) return [];
  const rule = told(scored, ({ run }) => `${run.rule}: ${punctuationRules[run.rule].summary}`);
  const excluding = scored.filter(({ run }) => run.scores.excluded > 0);
  const left = unique(
    excluding.map(({ treebank, scoredOn, run: { rule, scores } }) => {
      return `${scores.excluded.toLocaleString('en-US')} of ${(scoredOn ?? treebank).title} (${rule})`;
    }),
  );
  const line = `Punctuation rule ${rule}.`;
  return left.length === 0 ? [line] : [line, `Tokens left out: ${left.join(', ')}.`];
}

/** How phrase-structure trees were scored, where figures of theirs are shown. */
function bracketLines(all: readonly FilledCell[], { experiment: { report } }: Plan): string[] {
  if (!report.some((name) => figures[name].kind === 'phrases')) return [];
  const scorer = told(
    all.map(({ cell }) => cell),
    ({ settings: { brackets } }) => {
      return `${brackets}: ${phraseScorers[brackets].summary}`;
    },
  );
  return [`Brackets scored by ${scorer}.`];
}

function testLines({ experiment: { baseline } }: Plan): string[] {
  if (baseline === undefined) return [];
  const against = baseline === 'previous' ? 'the row above' : `“${baseline}”`;
  const test =
    'stratified shuffling of the dev sentences, 10,000 rounds, two-sided, one comparison at a time';
  return [`p: of the difference from ${against}; ${test}.`];
}

function measurementLines({ experiment: { report } }: Plan): string[] {
  const timings = report.map((name) => figures[name]).filter(({ kind }) => kind === 'measured');
  if (timings.length === 0) return [];
  const names = timings.map(({ title }) => title).join(', ');
  return [`Measured when the cell was computed, on one core, and not the same in another run: ${names}.`];
}

function shortageLines(all: readonly FilledCell[]): string[] {
  const short = all.filter(({ cell }) => cell.jobs.length === 0);
  return unique(
    short.map(({ cell: { treebank, available } }) => {
      const sentences = available.toLocaleString('en-US');
      return `${treebank.title} has ${sentences} sentences to learn from: cells that ask for more are empty.`;
    }),
  );
}

/** `1–4, 7`. */
function ranges(seeds: readonly number[]): string {
  const sorted = [...seeds].sort((a, b) => a - b);
  const parts: { from: number; to: number }[] = [];
  for (const seed of sorted) {
    const last = parts.at(-1);
    if (last !== undefined && seed === last.to + 1) last.to = seed;
    else parts.push({ from: seed, to: seed });
  }
  return parts.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
