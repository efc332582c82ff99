import { punctuationRules } from '../src/evaluate/punctuation.ts';
import type { FilledCell, FilledCells } from './fill.ts';
import type { Cell, Plan } from './plan.ts';
import type { SurveyedTreebank } from './treebanks.ts';

/** What a reader of the table must know to judge it, and to make it again: one line each. */
export function provenance(cells: FilledCells, plan: Plan, command: string): string[] {
  const all = cells.flat();
  return [
    `Made by: ${command}`,
    ...unique(all.map(({ cell }) => treebankLine(cell))),
    ...limitLines(all, plan),
    `Seeds: ${told(all, ({ cell }) => ranges(cell.settings.seeds))}.${spreadNote(all)}`,
    ...punctuationLines(all),
    ...testLines(plan),
    ...shortageLines(all),
  ];
}

/** `UD English EWT: train en_ewt-ud-train.conllu (12,544 sentences, SHA-256 3fb78e2b5548…), dev …`. */
function treebankLine({ treebank, available }: Cell): string {
  const { title, train, dev } = treebank;
  const learnt = `train ${fileText(train)}`;
  if (dev !== undefined) return `${title}: ${learnt}, dev ${fileText(dev)}.`;
  const heldOut = (train.sentences - available).toLocaleString('en-US');
  return `${title}: ${learnt}; it has no dev part: the last ${heldOut} sentences are held out.`;
}

function fileText({ path, sentences, digest }: SurveyedTreebank['train']): string {
  const name = path.replace(/^.*[/\\]/, '');
  return `${name} (${sentences.toLocaleString('en-US')} sentences, SHA-256 ${digest.slice(0, 12)}…)`;
}

/**
 * A fact of all cells; where it is not the same for all: of each row, or else each column, or else each cell.
 */
function told(all: readonly FilledCell[], fact: (filled: FilledCell) => string): string {
  const ways: ((cell: Cell) => string)[] = [() => '', ({ row }) => row, ({ column }) => column];
  const settles = (name: (cell: Cell) => string) =>
    all.every((a) => all.every((b) => name(a.cell) !== name(b.cell) || fact(a) === fact(b)));
  const name = ways.find(settles) ?? (({ row, column }) => `${row}, ${column}`);
  const values = unique(all.map(fact));
  if (values.length === 1) return values[0];
  const namesOf = (value: string) =>
    unique(all.filter((filled) => fact(filled) === value).map(({ cell }) => name(cell)));
  // `1 (Baseline, + Averaging); 1–10 (+ Shuffling)`
  return values.map((value) => `${value} (${namesOf(value).join(', ')})`).join('; ');
}

function limitLines(all: readonly FilledCell[], { experiment: { sweep } }: Plan): string[] {
  if (sweep?.option === 'trainSentences') return [];
  if (all.every(({ cell }) => cell.settings.trainSentences === undefined)) return [];
  const limit = told(all, ({ cell: { trainSentences, available } }) => {
    return trainSentences < available
      ? `the first ${trainSentences.toLocaleString('en-US')} sentences`
      : 'all sentences';
  });
  return [`Learnt from: ${limit}.`];
}

function spreadNote(all: readonly FilledCell[]): string {
  const several = all.filter(({ cell }) => cell.settings.seeds.length > 1);
  const statistics = new Set(several.map(({ cell }) => cell.settings.statistic));
  const notes: string[] = [];
  if (statistics.has('mean')) notes.push(' Mean ± standard deviation over the seeds.');
  if (statistics.has('best') || statistics.has('worst')) {
    notes.push(' The best and the worst seed are chosen for each figure by itself.');
  }
  return notes.join('');
}

/** The rules that were used, and where (`auto` has become one of them), and how many tokens they left out. */
function punctuationLines(all: readonly FilledCell[]): string[] {
  const scored = all.filter(({ runs }) => runs.length > 0);
  if (scored.length === 0) return [];
  const rule = told(scored, ({ runs: [{ rule }] }) => `${rule}: ${punctuationRules[rule].summary}`);
  const excluding = scored.filter(({ runs: [{ scores }] }) => scores.excluded > 0);
  const left = unique(
    excluding.map(({ cell, runs: [{ rule, scores }] }) => {
      return `${scores.excluded.toLocaleString('en-US')} of ${cell.treebank.title} (${rule})`;
    }),
  );
  const line = `Punctuation rule ${rule}.`;
  return left.length === 0 ? [line] : [line, `Tokens left out: ${left.join(', ')}.`];
}

function testLines({ experiment: { baseline } }: Plan): string[] {
  if (baseline === undefined) return [];
  const against = baseline === 'previous' ? 'the row above' : `“${baseline}”`;
  const test =
    'stratified shuffling of the dev sentences, 10,000 rounds, two-sided, one comparison at a time';
  return [`p: of the difference from ${against}; ${test}.`];
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
