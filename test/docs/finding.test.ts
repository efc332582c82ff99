import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { Query } from '../../src/treebank/query/query.ts';
import { naiveCount } from '../support/naive-query.ts';
import { runHere } from '../support/run-in-process.ts';
import { samplePath } from '../support/sample.ts';
import { sampleSentences } from '../support/sample-sentences.ts';

const page = readFileSync(join(packageFolder, 'docs', 'finding.md'), 'utf8');
const queries = /```query\n(.*?)```/s.exec(page)![1]!.trimEnd().split('\n');
const [console] = /```console\n.*?```/s.exec(page)!;

test('the page has twenty queries', () => expect(queries).toHaveLength(20));

test.each(queries)('%s', async (line) => {
  const [, text, count] = /^(.*?) +% +(\d+) {2}/.exec(line)!;
  const sentences = await sampleSentences('train', 400);
  const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);
  expect(sum(sentences.map((one) => new Query(text!).count(one)))).toBe(Number(count));
  const some = sentences.slice(0, 40);
  const naive = some.map((one) => naiveCount(text!, one));
  expect(some.map((one) => new Query(line).count(one))).toEqual(naive);
});

test('the commands print what the page says', async () => {
  for (const [, query, rest, output] of console.matchAll(
    /^\$ parliament find '(.*?)' train\.conllu(.*)\n((?:[^$`].*\n|`` .*\n)*)/gm,
  )) {
    if (rest!.includes('-o ')) continue;
    const { stdout } = await runHere(['find', query!, samplePath('train'), ...rest!.trim().split(' ')]);
    expect(stdout).toBe(output);
  }
  expect.assertions(2);
});
