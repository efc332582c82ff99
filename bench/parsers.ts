import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFolder } from '../src/files/package-folder.ts';
import { median } from './median.ts';
import type { ParseFigures } from './parse-once.ts';

/** A treebank to measure with. */
export interface BenchTreebank {
  readonly name: string;
  readonly train: string;
  readonly dev: string;
}

export interface ParserBench {
  readonly name: string;
  /** What follows `parliament train`. */
  readonly arguments: readonly string[];
  /** Training runs, and passes of parsing, of which the median counts. */
  readonly runs: number;
}

/** Medians over the runs; every process has one thread. */
export interface ParserRow {
  readonly treebank: string;
  readonly parser: string;
  readonly runs: number;
  /** The whole command, from its start to the written model. */
  readonly trainSeconds: number;
  /** What the processors spent on it; with threads more than the time that passed. */
  readonly trainCpuSeconds: number;
  /** Most memory of the process, in bytes. */
  readonly trainMemory: number;
  readonly modelBytes: number;
  readonly uas: number;
  readonly las: number;
  readonly parseSentencesPerSecond: number;
  readonly parseTokensPerSecond: number;
  /** The first pass of a fresh process, its code not compiled yet. */
  readonly firstSentencesPerSecond: number;
  readonly parseMemory: number;
}

interface TrainSummary {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMemory: number;
  readonly bytes: number;
}

/** Trains on a treebank and parses its dev part. */
export function benchParser(
  treebank: BenchTreebank,
  { name, arguments: given, runs }: ParserBench,
): ParserRow {
  const folder = mkdtempSync(join(tmpdir(), 'parliament-bench-'));
  try {
    const model = join(folder, 'model');
    const output = join(folder, 'output.conllu');
    const trainings = Array.from({ length: runs }, () => train(treebank, model, given));
    const parsing = parse(model, treebank.dev, runs);
    node('cli/main.js', ['parse', '--model', model, treebank.dev, '-o', output, '--quiet']);
    const [scores] = JSON.parse(node('cli/main.js', ['evaluate', treebank.dev, output, '--json', '--quiet']));
    return {
      treebank: treebank.name,
      parser: name,
      runs,
      ...training(trainings),
      ...parsing,
      uas: scores.uas,
      las: scores.las,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function train({ train }: BenchTreebank, model: string, given: readonly string[]): TrainSummary {
  const options = ['--jobs', '1', '--quiet', '--json'];
  return JSON.parse(node('cli/main.js', ['train', ...given, '--train', train, '--model', model, ...options]));
}

function training(runs: readonly TrainSummary[]) {
  return {
    trainSeconds: median(runs.map(({ seconds }) => seconds)),
    trainCpuSeconds: median(runs.map(({ cpuSeconds }) => cpuSeconds)),
    trainMemory: median(runs.map(({ peakMemory }) => peakMemory)),
    modelBytes: runs[0].bytes,
  };
}

function parse(model: string, file: string, runs: number) {
  const figures: ParseFigures = JSON.parse(node('bench/parse-once.js', [model, file, String(runs + 1)]));
  const seconds = median(figures.warmSeconds);
  return {
    parseSentencesPerSecond: figures.sentences / seconds,
    parseTokensPerSecond: figures.tokens / seconds,
    firstSentencesPerSecond: figures.sentences / figures.firstSeconds,
    parseMemory: figures.peakMemory,
  };
}

/** Runs one of this package's compiled files to its end and gives its output. */
export function node(file: string, args: readonly string[]): string {
  const run = spawnSync(process.execPath, [join(packageFolder, 'dist', file), ...args], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${run.status}: ${run.stderr}`);
  return run.stdout;
}
