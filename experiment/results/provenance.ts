import { basename } from 'node:path';
import { columnScores, scoredColumns } from '../../src/evaluate/attachment/column-counts.ts';
import { punctuationRules } from '../../src/evaluate/attachment/punctuation.ts';
import { labelNotes, metricNames } from '../../src/evaluate/comparison/metrics.ts';
import { phraseScorers } from '../../src/evaluate/parseval/scorers.ts';
import { count } from '../../src/report/tables/table.ts';
import { figures, mean, type SeedRun } from '../cells/figures.ts';
import { isTrained, type TrainedSettings, tagsItself } from '../definition/cell-settings.ts';
import type { Cell, OtherTreebank, Plan } from '../definition/plan.ts';
import type { ParserJob } from '../jobs/job.ts';
import { countOf } from '../jobs/selection.ts';
import type { FilledCell, FilledCells } from './fill.ts';
import { isOverTreebanks, overTreebanks, treebankView } from './over-treebanks.ts';
import {
  fileLines,
  fileText,
  groupedFact,
  shortageLines,
  type TrainedCell,
  trained,
  treebankLines,
  unique,
} from './treebank-lines.ts';

/** Lines below a table: everything that readers need to judge and reproduce it. */
export function provenance(cells: FilledCells, plan: Plan, command: string, finalCells: FilledCells = []) {
  const all = [...cells, ...finalCells].flat();
  return [
    `Made by: ${command}`,
    ...treebankLines(all),
    ...plan.warnings.map((warning) => `${warning}.`),
    ...fileLines(all, plan),
    ...limitLines(all, plan),
    ...lengthLines(all),
    ...trainingLines(all, [cells.flat(), finalCells.flat()]),
    ...heldOutLines(all, plan),
    ...voterLines(all),
    ...voteLines(all, plan),
    ...punctuationLines(all, plan),
    ...labelNotes(metricNames.filter((name) => (plan.experiment.report as readonly string[]).includes(name))),
    ...bracketLines(all, plan),
    ...testLines(plan, cells, finalCells),
    ...measurementLines(plan),
    ...shortageLines(all),
    ...tooManyLines(plan),
  ];
}

function trainingLines(all: readonly FilledCell[], parts: readonly (readonly FilledCell[])[]): string[] {
  const cells = trained(all);
  if (cells.length === 0) return [];
  const seeds = groupedFact(cells, ({ settings }) => ranges(settings.seeds));
  const shown = groupedFact(cells, ({ settings }) => shownText(settings.morphology));
  const guides = groupedFact(cells, ({ settings }) => guidesText(settings));
  const silver = groupedFact(cells, ({ settings }) => silverText(settings));
  return [
    `Tags and lemmas: ${groupedFact(cells, tagText)}.`,
    ...parts.flatMap((part, i) =>
      taggingLine(part, parts[1].length === 0 ? 'scored sentences' : `${['dev', 'test'][i]} part`),
    ),
    ...(shown === 'as they are' ? [] : [`Lemmas and features: ${shown}.`]),
    ...(guides === 'none' ? [] : [`Guides: ${guides}.`]),
    ...(silver === 'none' ? [] : [`Additional training data: ${silver}.`]),
    `Seeds: ${seeds}.${spreadNote(all)}`,
  ];
}

function shownText(morphology: TrainedSettings['morphology']): string {
  if (morphology === undefined) return 'as they are';
  if (morphology === 'none') return 'hidden';
  const features = morphology === 'in-tag' ? 'all features' : morphology.join(' and ');
  return `tag and ${features} as one tag`;
}

function guidesText({ guides, folds }: TrainedSettings): string {
  if (guides.length === 0) return 'none';
  return `${guides.map(({ parser }) => parser).join(' and ')}, learnt in ${folds} folds`;
}

/** `silver trees, the first 1,000 sentences of news.conllu, weight 0.5, last 2 epochs without them`. */
function silverText({ silver }: TrainedSettings): string {
  if (silver === undefined) return 'none';
  const { trees, sentences, weight = 1, goldEpochs = 0 } = silver;
  const first = sentences === undefined ? '' : `the first ${count(sentences)} sentences of `;
  const weighing = weight === 1 ? '' : `, weight ${weight}`;
  const last = goldEpochs === 0 ? '' : `, last ${goldEpochs} epochs without them`;
  return `silver trees, ${first}${basename(trees)}${weighing}${last}`;
}

function limitLines(all: readonly FilledCell[], { experiment: { sweep } }: Plan): string[] {
  const cells = trained(all);
  if (sweep?.option === 'trainSentences') return [];
  if (cells.every(({ settings }) => settings.trainSentences === undefined)) return [];
  const limit = groupedFact(cells, ({ trainSentences, available }) =>
    trainSentences < available ? `the first ${count(trainSentences)} sentences` : 'all sentences',
  );
  return [`Learnt from: ${limit}.`];
}

function tooManyLines({ tooMany }: Plan): string[] {
  if (tooMany.length === 0) return [];
  const sizes = tooMany.map((size) => count(Number(size))).join(', ');
  return [`Left out, since no treebank here has that many training sentences: ${sizes}.`];
}

function lengthLines(all: readonly FilledCell[]): string[] {
  const cells = all.map(({ cell }) => cell).filter(({ settings }) => !('of' in settings));
  const most = ({ settings }: Cell) => ('of' in settings ? undefined : settings.maxTokens);
  if (cells.every((cell) => most(cell) === undefined)) return [];
  const limit = groupedFact(cells, (cell) =>
    most(cell) === undefined ? 'all lengths' : `at most ${most(cell)} tokens`,
  );
  return [`Scored: sentences of ${limit}.`];
}

function taggingLine(all: readonly FilledCell[], where: string): string[] {
  const isTagged = ({ settings }: Cell) => isTrained(settings) && settings.tags !== 'gold';
  const tagged = all.flatMap(({ cell, runs }) =>
    runs.length > 0 && isTagged(cell) ? [{ ...cell, runs }] : [],
  );
  if (tagged.length === 0) return [];
  return [`Tagging accuracy in the ${where}: ${groupedFact(tagged, ({ runs }) => accuracies(runs))}.`];
}

function tagText({ settings: { tags, folds, paradigm, options }, taggedBy }: TrainedCell): string {
  if (tagsItself(paradigm, options)) return 'the parser’s own tags';
  if (tags === 'gold') return 'gold';
  const training = taggedBy === undefined ? 'the same sentences as the parser' : otherText(taggedBy);
  const tagger = `from a tagger trained on ${training}`;
  if (tags === 'predicted-at-test') return `gold in training; at test time ${tagger}`;
  const beside = tags === 'both' ? 'gold and ' : '';
  return taggedBy === undefined
    ? `${beside}jack-knifed in ${folds} folds in training; at test time ${tagger}`
    : `${beside}${tagger}`;
}

/** `GENIA, the first 1,225 of dev.conllu (1,361 sentences, …)`. */
function otherText({ title, train, learnt }: OtherTreebank): string {
  const first = learnt < train.sentences ? `the first ${count(learnt)} of ` : '';
  return `${title}, ${first}${fileText(train)}`;
}

/** `UPOS 94.30 %, UFeats 88.54 %`; of several seeds their mean. */
function accuracies(runs: readonly SeedRun[]): string {
  return scoredColumns
    .filter((column) => runs[0].result.tags[column] != null)
    .map((column) => {
      const accuracy = mean(runs.map(({ result }) => result.tags[column]!));
      return `${columnScores[column]} ${accuracy.toFixed(2)} %`;
    })
    .join(', ');
}

function spreadNote(all: readonly FilledCell[]): string {
  const several = all.filter(({ cell }) => cell.jobs.length > 1);
  const statistics = new Set(several.map(({ cell }) => cell.settings.statistic));
  const averaged = several.filter(({ cell }) => cell.settings.statistic === 'mean');
  const over = unique(
    averaged.map(({ cell }) => ('of' in cell.settings ? 'the runs of combined cells' : 'the seeds')),
  );
  const spread = over.length === 0 ? '' : ` Mean ± standard deviation over ${over.join(' or ')}.`;
  const isChosen = statistics.has('best') || statistics.has('worst');
  return `${spread}${isChosen ? ' The best and the worst run are chosen for each figure by itself.' : ''}`;
}

function heldOutLines(all: readonly FilledCell[], { jobs }: Plan): string[] {
  const sizes = all.flatMap(({ cell }) => {
    const [job] = cell.jobs.map((name) => jobs.get(name));
    if (job?.kind !== 'parser' || job.heldOut === undefined) return [];
    const heldOut = countOf(job.heldOut);
    return [share(heldOut, heldOut + countOf(job.train))];
  });
  if (sizes.length === 0) return [];
  const parts = unique(sizes).join(', ');
  return [`Epochs are judged on the last training sentences (${parts}), which are held out.`];
}

/** A line if a member with several seeds has several votes. */
function voterLines(all: readonly FilledCell[]): string[] {
  const voters = all.flatMap(({ cell: { settings }, runs }) => {
    const [job] = runs.map(({ result }) => result.job);
    if (!('of' in settings) || job?.kind !== 'vote' || job.members.length === settings.of.length) return [];
    return [`${count(job.members.length)} votes of ${count(settings.of.length)} members`];
  });
  return voters.length === 0
    ? []
    : [`A member with several seeds votes once per seed: ${unique(voters).join(', ')}.`];
}

function voteLines(all: readonly FilledCell[], { jobs }: Plan): string[] {
  const sizes = all
    .flatMap(({ runs }) => runs.map(({ result }) => result.job))
    .flatMap((job) => {
      if (job.kind !== 'vote' || job.setAside === undefined) return [];
      const member = jobs.get(job.members[0]) as ParserJob;
      return [share(countOf(job.setAside.test), countOf(member.train))];
    });
  if (sizes.length === 0) return [];
  const parts = unique(sizes).join(', ');
  return [
    `Vote weights: learned from the last training sentences (${parts}), parsed by copies of the members trained without them; the members themselves are trained on all sentences.`,
  ];
}

const share = (own: number, whole: number): string => [own, whole].map(count).join(' of ');

/** The punctuation rules (what `auto` has chosen), with the numbers of excluded tokens. */
function punctuationLines(all: readonly FilledCell[], { experiment: { report } }: Plan): string[] {
  const scored = all.flatMap(({ cell, runs: [run] }) => (run === undefined ? [] : [{ ...cell, run }]));
  if (scored.length === 0 || !report.some((name) => figures[name].kind === 'dependencies')) return [];
  const rule = groupedFact(scored, ({ run }) => `${run.rule}: ${punctuationRules[run.rule].summary}`);
  const excluding = scored.filter(({ run }) => run.scores.excluded > 0);
  const left = unique(
    excluding.map(({ treebank, scoredOn, run: { rule, scores } }) => {
      return `${count(scores.excluded)} of ${(scoredOn ?? treebank).title} (${rule})`;
    }),
  );
  const line = `Punctuation rule ${rule}.`;
  return left.length === 0 ? [line] : [line, `Tokens left out: ${left.join(', ')}.`];
}

function bracketLines(all: readonly FilledCell[], { experiment: { report } }: Plan): string[] {
  if (!report.some((name) => figures[name].kind === 'phrases')) return [];
  const cells = all.map(({ cell }) => cell);
  const scorer = groupedFact(cells, ({ settings: { brackets } }) => {
    return `${brackets}: ${phraseScorers[brackets].summary}`;
  });
  return [`Brackets scored by ${scorer}.`];
}

function measurementLines({ experiment: { report } }: Plan): string[] {
  const timings = report.map((name) => figures[name]).filter(({ kind }) => kind === 'measured');
  if (timings.length === 0) return [];
  const names = timings.map(({ title }) => title).join(', ');
  return [`Measured when the cell was computed, on one core, and not the same in another run: ${names}.`];
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

function testLines(plan: Plan, ...tables: readonly FilledCells[]): string[] {
  const shuffling = shufflingLine(plan, tables.flat(2));
  if (!isOverTreebanks(plan)) return shuffling;
  const filled = tables.filter((cells) => cells.length > 0);
  const difference = shuffling.length > 0 ? 'the same difference' : differenceText(plan);
  const over = filled.flatMap((cells) => overTreebanksLines(plan, cells, difference));
  return [...shuffling, ...unique(over)];
}

/** A line if any cell is tested. */
function shufflingLine(plan: Plan, cells: readonly FilledCell[]): string[] {
  if (!cells.some(({ figures: own }) => [...own.values()].some(({ p }) => p !== undefined))) return [];
  const scored = plan.finalCells === undefined ? 'dev' : 'scored';
  const severalSeeds = cells.some(
    ({ cell: { jobs, settings } }) => jobs.length > 1 && settings.statistic === 'mean' && !('of' in settings),
  );
  const seeds = severalSeeds ? ' (of several seeds the sum in each)' : '';
  const test = `stratified shuffling of the ${scored} sentences${seeds}, 10,000 rounds, two-sided, one comparison at a time`;
  return [`${isOverTreebanks(plan) ? '*: p < 0.05' : 'p'}: of ${differenceText(plan)}; ${test}.`];
}

const differenceText = ({ experiment: { baseline } }: Plan): string =>
  `the difference from ${baseline === 'previous' ? 'the row above' : `“${baseline}”`}`;

/** Demšar (2006), “Statistical Comparisons of Classifiers over Multiple Data Sets”. */
function overTreebanksLines(plan: Plan, cells: FilledCells, difference: string): string[] {
  const view = treebankView(plan, cells);
  const all = plan.experiment.report.map((name) => ({ name, ...overTreebanks(plan, view, name) }));
  const ranked = all.filter(({ criticalDifference }) => !Number.isNaN(criticalDifference));
  const differences = ranked.map(
    ({ name, criticalDifference, treebanks }) =>
      `${figures[name].title} ${criticalDifference.toFixed(2)} over ${treebanks} treebanks`,
  );
  const lines = ['Mean, and mean rank (1 is best): over the treebanks that have a figure of every parser.'];
  if (differences.length > 0) {
    const test = 'Nemenyi’s critical difference at 0.05, after Demšar 2006';
    lines.push(
      `Mean ranks that differ by less are not significantly different (${test}): ${differences.join(', ')}.`,
    );
  }
  if (all.some(({ overall }) => overall.some(({ p }) => p !== undefined)))
    lines.push(`p: of ${difference} over treebanks; Wilcoxon’s signed-rank test, exact, two-sided.`);
  return lines;
}
