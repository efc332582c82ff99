import { expect, test } from 'vitest';
import { TrackedCheckpoints } from '../../../cli/terminal/training-report.ts';
import { CheckpointFile } from '../../../src/training/checkpoint-file.ts';
import { Sandbox } from '../../support/sandbox.ts';

const model = new Sandbox('checkpoints').path('dogs.model');
const opened = (resume: boolean) => new TrackedCheckpoints(new CheckpointFile(model, { resume }));

test('a checkpoint counts as kept once it is saved, and with --resume as soon as its file exists', () => {
  expect(opened(true).isKept).toBe(false);
  const first = opened(false);
  expect(first.isKept).toBe(false);
  first.save(() => undefined);
  expect(first.isKept).toBe(true);
  expect(opened(true).isKept).toBe(true);
  expect(opened(false).isKept).toBe(false);
});
