import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Results } from '../../../bench/cross-validation/results.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('cross-validation');
const measured = (las: number) => ({ tokens: 10, scores: [{ uas: 90, las }], cpuSeconds: 1 });

test('what was measured is not measured again, by another run either, but for a line that was cut off', async () => {
  const file = sandbox.path('results.jsonl');
  const first = new Results(file);
  await first.get('a', async () => measured(80));
  await first.get('b', async () => measured(81));
  appendFileSync(file, '{"key":"c","tok');
  const asked: string[] = [];
  const second = new Results(file);
  for (const key of ['a', 'b', 'c']) {
    const { scores } = await second.get(key, async () => {
      asked.push(key);
      return measured(82);
    });
    expect(scores[0].las).toBe({ a: 80, b: 81, c: 82 }[key]);
  }
  expect(asked).toEqual(['c']);
  expect((await new Results(file).get('c', async () => measured(0))).scores[0].las).toBe(82);
});
