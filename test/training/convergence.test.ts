import { describe, expect, test, vi } from 'vitest';
import { FeatureDifference } from '../../src/learn/linear/weights.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import { endOf, runEpochs } from '../../src/training/epochs.ts';
import type { TrainingEnd, TrainingRun } from '../../src/training/training-run.ts';
import { TrainingState } from '../../src/training/training-state.ts';
import { KeptCheckpoint } from '../support/kept-checkpoint.ts';
import { modelBuffer } from '../support/model-buffer.ts';

type State = TrainingState<'only'>;
const newState = (): State => new TrainingState({ only: 4 }, 'one');

interface Course extends Partial<TrainingRun> {
  readonly patience?: number;
  /** On held-out data, epoch by epoch; undefined where there is nothing to be scored yet. */
  readonly las: readonly (number | undefined)[];
  /** How many mistakes there are in an epoch of three sentences. */
  readonly mistakes?: readonly number[];
}

/** A training whose scores and mistakes are known beforehand; gives how it ended, and what was said of it. */
async function train(state: State, { patience, las, mistakes, ...run }: Course) {
  const difference = new FeatureDifference(state.weights.only);
  difference.add(1, 1);
  let end: TrainingEnd | undefined;
  const notices: string[] = [];
  const task = {
    ...{ state, epochs: las.length, patience, total: 3, shuffle: true },
    learn: () => difference.apply(state.done < (mistakes?.[state.epoch - 1] ?? 3) ? 1 : 0),
    scores: async () => {
      const score = las[state.epoch - 1];
      if (score === undefined) return {};
      const dev = { uas: 90, las: score };
      state.best.offer(state.epoch, dev);
      return { dev };
    },
  };
  await runEpochs(task, {
    ...{ seed: 1, jobs: 1, ...run },
    onProgress: (progress) => {
      if (progress.isOver) end = progress.end;
    },
    onNotice: (notice) => notices.push(notice),
  });
  return { end, notices };
}

describe('a training that is to end when it has converged', () => {
  test('ends once the score on held-out data has not risen for the given number of epochs in a row', async () => {
    const las = [70, 75, 74, 76, 76, 75, 75, 75, 99];
    const { end, notices } = await train(newState(), { patience: 3, las });
    expect(end).toEqual({ epochs: 7, reason: 'held-out' });
    expect(notices).toEqual([
      'training ended with epoch 7: in the last 3 epochs the score on held-out data has not risen',
    ]);
    expect((await train(newState(), { patience: 1, las })).end).toEqual({ epochs: 3, reason: 'held-out' });
  });

  test('ends with an epoch that had nothing to correct', async () => {
    const { end, notices } = await train(newState(), {
      ...{ patience: 5, las: [70, 71, 72, 73, 74], mistakes: [3, 1, 0, 0, 0] },
    });
    expect(end).toEqual({ epochs: 3, reason: 'separated' });
    expect(notices).toEqual(['training ended with epoch 3, in which there was nothing to correct']);
  });

  test('ends at the latest with the last epoch', async () => {
    const { end, notices } = await train(newState(), { patience: 5, las: [70, 71, 72] });
    expect(end).toEqual({ epochs: 3, reason: 'epochs' });
    expect(notices).toEqual([]);
  });

  test('does not count epochs after which there is no parser to be scored', async () => {
    const las = [undefined, undefined, undefined, 70, 69, 69];
    const mistakes = [0, 0, 0, 1, 1, 1];
    expect((await train(newState(), { patience: 2, las, mistakes })).end).toEqual({
      ...{ epochs: 6, reason: 'held-out' },
    });
  });

  test('has all its epochs where that is not asked for', async () => {
    const { end, notices } = await train(newState(), { las: [70, 60, 50], mistakes: [0, 0, 0] });
    expect(end).toBeUndefined();
    expect(notices).toEqual([]);
  });

  test('ends where it would have, and says the same, wherever it was stopped and resumed', async () => {
    const course = { patience: 2, las: [70, 75, 74, 73, 99], mistakes: [3, 2, 1, 1, 0] };
    const whole = await train(newState(), course);
    expect(whole.end).toEqual({ epochs: 4, reason: 'held-out' });
    const states: SharedArrayBuffer[] = [];
    const checkpoints = new KeptCheckpoint();
    const save = checkpoints.save.bind(checkpoints);
    checkpoints.save = (write) => {
      save(write);
      states.push(checkpoints.kept!);
    };
    let clock = 0;
    // Epochs are long, so that each leaves its state.
    const now = vi.spyOn(performance, 'now').mockImplementation(() => {
      clock += 10_000;
      return clock;
    });
    await train(newState(), { ...course, checkpoints });
    now.mockRestore();
    expect(states).toHaveLength(3);
    for (const state of states) {
      checkpoints.kept = state;
      const resumed = newState();
      resumed.restore(checkpoints.load()!);
      expect(await train(resumed, course)).toEqual(whole);
    }
  });
});

test('mistakes of an epoch are kept with a state that is saved within it', () => {
  const state = newState();
  state.weights.only.mistakes = 2;
  const writer = new ModelWriter('checkpoint');
  state.save(writer);
  const restored = newState();
  restored.restore(ModelReader.fromBuffer(modelBuffer(writer), 'checkpoint'));
  expect(restored.mistakes).toBe(2);
  expect(endOf(restored, { epochs: 9, patience: 9 }, { las: 1 })).toBeUndefined();
  restored.startEpoch(2);
  expect(restored.mistakes).toBe(0);
});
