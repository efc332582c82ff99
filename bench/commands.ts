import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { withTemporaryFolder } from '../cli/folders.ts';
import { methodNames } from '../combine/names.ts';
import { AtomicFile } from '../src/files/atomic-file.ts';
import { Random } from '../src/learn/random.ts';
import { packageFolder } from '../src/platform/package.ts';
import { formatSentence } from '../src/treebank/columns/write.ts';
import { openTreebank } from '../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../src/treebank/sentence.ts';
import type { ParseFigures } from './parse-once.ts';

/** The median: for an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export interface BenchTreebank {
  readonly name: string;
  readonly train: string;
  readonly dev: string;
}

export interface ParserBench {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly runs: number;
}

export type ParserRow = Awaited<ReturnType<typeof benchParser>>;

/** Trains, parses and evaluates with the built command line; medians over the runs. */
export function benchParser(treebank: BenchTreebank, { name, arguments: given, runs }: ParserBench) {
  return withTemporaryFolder(async (folder) => {
    const model = join(folder, 'model');
    const output = join(folder, 'output.conllu');
    const training = train(treebank, model, given, runs);
    const parsing = parse(model, treebank.dev, runs);
    node('cli/main.js', ['parse', '--model', model, treebank.dev, '-o', output, '--quiet']);
    const evaluation = node('cli/main.js', ['evaluate', treebank.dev, output, '--json', '--quiet']);
    const [{ uas, las }] = JSON.parse(evaluation) as readonly [
      { readonly uas: number; readonly las: number },
    ];
    return { treebank: treebank.name, parser: name, runs, ...training, ...parsing, uas, las };
  });
}

function train({ train }: BenchTreebank, model: string, given: readonly string[], runs: number) {
  const words = ['train', ...given, '--train', train, '--model', model, '--jobs', '1', '--quiet', '--json'];
  const summaries = Array.from({ length: runs }, () => JSON.parse(node('cli/main.js', words)));
  return {
    // The whole command, from its start to the written model.
    trainSeconds: median(summaries.map(({ seconds }) => seconds)),
    trainCpuSeconds: median(summaries.map(({ cpuSeconds }) => cpuSeconds)),
    // Peak memory of the process, in bytes.
    trainMemory: median(summaries.map(({ peakMemory }) => peakMemory)),
    modelBytes: summaries[0].bytes as number,
  };
}

function parse(model: string, file: string, runs: number) {
  const figures: ParseFigures = JSON.parse(node('bench/parse-once.js', [model, file, String(runs + 1)]));
  const seconds = median(figures.warmSeconds);
  return {
    parseSentencesPerSecond: figures.sentences / seconds,
    parseTokensPerSecond: figures.tokens / seconds,
    // The first pass of a fresh process, its code not compiled yet.
    firstSentencesPerSecond: figures.sentences / figures.firstSeconds,
    parseMemory: figures.peakMemory,
  };
}

function node(file: string, args: readonly string[]): string {
  const run = spawnSync(process.execPath, [join(packageFolder, 'dist', file), ...args], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${run.status}: ${run.stderr}`);
  return run.stdout;
}

export type VoteRow = Awaited<ReturnType<typeof benchVote>>[number];

const MEMBERS = 10;
/** One token in eight gets a random head and label. */
const TOKENS_PER_ERROR = 8;

/** Times `parliament vote` on ten simulated parsers' output: the dev part with random errors. */
export async function benchVote({ name, dev }: BenchTreebank, runs: number) {
  return withTemporaryFolder(async (folder) => {
    const files: string[] = [];
    let sentences = 0;
    for (let m = 0; m < MEMBERS; m++) {
      files.push(join(folder, `member-${m}.conllu`));
      sentences = await writeMember(dev, files[m], new Random(1, m));
    }
    const output = join(folder, 'voted.conllu');
    return methodNames.map((method) => {
      const times = Array.from({ length: runs }, () => {
        const start = performance.now();
        node('cli/main.js', ['vote', ...files, '-o', output, '--method', method, '--quiet']);
        return (performance.now() - start) / 1000;
      });
      return { treebank: name, method, members: MEMBERS, sentences, seconds: median(times) };
    });
  });
}

async function writeMember(dev: string, path: string, random: Random): Promise<number> {
  let sentences = 0;
  await AtomicFile.writeWhole(path, async (file) => {
    for await (const sentence of await openTreebank(dev)) {
      await file.write(formatSentence(sentence, 'conllu', withErrors(sentence, random)));
      sentences++;
    }
  });
  return sentences;
}

function withErrors({ length, heads, labels }: Sentence, random: Random) {
  const wrong = { heads: heads.slice(), labels: [...labels] };
  for (let d = 1; d <= length; d++) {
    if (random.below(TOKENS_PER_ERROR) > 0) continue;
    wrong.heads[d] = random.below(length + 1);
    wrong.labels[d] = labels[1 + random.below(length)];
  }
  return wrong;
}
