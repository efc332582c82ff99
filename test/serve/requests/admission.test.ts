import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { AdmissionControl } from '../../../serve/requests/admission.ts';
import type { Workers } from '../../../serve/tasks/workers.ts';

function workers(): Workers & { ended: number } {
  const result = { text: '', words: 0 };
  return {
    threads: 1,
    waiting: 0,
    ended: 0,
    run: async () => result,
    end: async function () {
      this.ended++;
    },
  };
}

const client = new Socket();
const limited = (own: Workers = workers()) =>
  new AdmissionControl([], own, { mostRequests: 2, mostCharacters: 100 });

/** Begins a request, whose answer has two parts. */
async function begin(control: AdmissionControl, characters: number) {
  const parts = control.admit(characters, client, async function* () {
    yield 'one';
    yield 'two';
  });
  await parts.next();
  return parts;
}

test('a text over the limit is admitted only if no other request is in work', async () => {
  const control = limited();
  const large = await begin(control, 101);
  expect(control.active).toBe(1);
  await expect(begin(control, 1)).rejects.toMatchObject({ statusCode: 503, retryAfter: 1 });
  await large.return(undefined);
  expect(control.active).toBe(0);
  const small = await begin(control, 1);
  await expect(begin(control, 100)).rejects.toMatchObject({ statusCode: 503 });
  const fitting = await begin(control, 99);
  await expect(begin(control, 0)).rejects.toMatchObject({ statusCode: 503 });
  await Promise.all([small.return(undefined), fitting.return(undefined)]);
  expect((await (await begin(control, 1_000_000)).next()).value).toBe('two');
});

test('after a reload, the old threads end when their last request is answered', async () => {
  const [old, next] = [workers(), workers()];
  const control = limited(old);
  const parts = await begin(control, 1);
  control.replace([], next);
  expect([control.workers, old.ended]).toEqual([next, 0]);
  await parts.return(undefined);
  expect(old.ended).toBe(1);
  control.replace([], workers());
  expect(next.ended).toBe(1);
});
