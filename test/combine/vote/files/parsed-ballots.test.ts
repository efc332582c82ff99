import { expect, test, vi } from 'vitest';
import { parseBallots } from '../../../../combine/vote/files/parsed-ballots.ts';
import type { ModelReader } from '../../../../src/model/model-reader.ts';
import { Sandbox } from '../../../support/sandbox.ts';

vi.mock('../../../../parsers/run/parse-batches.ts', () => ({
  modelParser: () => ({}),
  async *parseBatches() {
    yield { text: '', fault: { problem: 'a sentence that is refused', place: { file: 'f', line: 3 } } };
  },
}));

test('a sentence that a parser refuses is an error that names its place', async () => {
  const file = new Sandbox('parsed-ballots').save('f.conllu', '1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n');
  const model = { header: { paradigm: 'graph' }, partNames: [] as string[] } as unknown as ModelReader;
  await expect(parseBallots(file, [model], { jobs: 1 })).rejects.toThrow('f:3: a sentence that is refused');
});
