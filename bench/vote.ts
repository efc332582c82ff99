import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { methodNames } from '../combine/vote/names.ts';
import { AtomicFile } from '../src/files/text/atomic-file.ts';
import { Random } from '../src/learn/random.ts';
import { formatSentence } from '../src/treebank/columns/write.ts';
import { openTreebank } from '../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../src/treebank/sentence.ts';
import { median } from './median.ts';
import { type BenchTreebank, node } from './parsers.ts';

export interface VoteRow {
  readonly treebank: string;
  readonly method: string;
  readonly members: number;
  readonly sentences: number;
  /** The whole command, from its start to the written trees: the median of the runs. */
  readonly seconds: number;
}

const MEMBERS = 10;

/** One token in so many is given another head and label by a member. */
const TOKENS_AN_ERROR = 8;

/** Times `parliament vote` over the files of ten made-up parsers: the dev part with errors put in. */
export async function benchVote({ name, dev }: BenchTreebank, runs: number): Promise<VoteRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parliament-bench-'));
  try {
    const files: string[] = [];
    let sentences = 0;
    for (let m = 0; m < MEMBERS; m++) {
      files.push(join(folder, `member-${m}.conllu`));
      sentences = await writeMember(dev, files[m], new Random(1, m));
    }
    const output = join(folder, 'voted.conllu');
    return methodNames.map((method) => {
      const run = () => secondsOf(['vote', ...files, '-o', output, '--method', method, '--quiet']);
      const seconds = median(Array.from({ length: runs }, run));
      return { treebank: name, method, members: MEMBERS, sentences, seconds };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeMember(dev: string, path: string, random: Random): Promise<number> {
  const file = await AtomicFile.create(path);
  let sentences = 0;
  for await (const sentence of await openTreebank(dev)) {
    await file.write(formatSentence(sentence, 'conllu', withErrors(sentence, random)));
    sentences++;
  }
  await file.commit();
  return sentences;
}

function withErrors({ length, heads, labels }: Sentence, random: Random) {
  const wrong = { heads: heads.slice(), labels: [...labels] };
  for (let d = 1; d <= length; d++) {
    if (random.below(TOKENS_AN_ERROR) > 0) continue;
    wrong.heads[d] = random.below(length + 1);
    wrong.labels[d] = labels[1 + random.below(length)];
  }
  return wrong;
}

function secondsOf(args: readonly string[]): number {
  const start = performance.now();
  node('cli/main.js', args);
  return (performance.now() - start) / 1000;
}
