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
  /** LAS on held-out data, epoch by epoch; undefined if there is no parser to score yet. */
  readonly las: readonly (number | undefined)[];
  /** The number of mistakes in each epoch of three sentences. */
  readonly mistakes?: readonly number[];
}

/** A training whose scores and mistakes are known beforehand; returns how it ended, and its notices. */
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

describe('a training that may end early', () => {
  test('ends when the score on held-out data has not risen for the given number of epochs', async () => {
    const las = [70, 75, 74, 76, 76, 75, 75, 75, 99];
    const { end, notices } = await train(newState(), { patience: 3, las });
    expect(end).toEqual({ epochs: 7, reason: 'held-out' });
    expect(notices).toEqual([
      'training ended with epoch 7: in the last 3 epochs the score on held-out data has not risen',
    ]);
    expect((await train(newState(), { patience: 1, las })).end).toEqual({ epochs: 3, reason: 'held-out' });
  });

  test('ends with an epoch in which there was nothing to correct', async () => {
    const { end, notices } = await train(newState(), {
      ...{ patience: 5, las: [70, 71, 72, 73, 74], mistakes: [3, 1, 0, 0, 0] },
    });
    expect(end).toEqual({ epochs: 3, reason: 'separated' });
    expect(notices).toEqual(['training ended with epoch 3, in which there was nothing to correct']);
  });

  test('ends with the last epoch at the latest', async () => {
    const { end, notices } = await train(newState(), { patience: 5, las: [70, 71, 72] });
    expect(end).toEqual({ epochs: 3, reason: 'epochs' });
    expect(notices).toEqual([]);
  });

  test('does not count epochs without a parser to score', async () => {
    const las = [undefined, undefined, undefined, 70, 69, 69];
    const mistakes = [0, 0, 0, 1, 1, 1];
    expect((await train(newState(), { patience: 2, las, mistakes })).end).toEqual({
      ...{ epochs: 6, reason: 'held-out' },
    });
  });

  test('runs through all epochs if no patience is given', async () => {
    const { end, notices } = await train(newState(), { las: [70, 60, 50], mistakes: [0, 0, 0] });
    expect(end).toBeUndefined();
    expect(notices).toEqual([]);
  });

  test('ends with the same epoch and the same notice if it is stopped and resumed', async () => {
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
    // Epochs are long, so that each saves its state.
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

test('a state that is saved within an epoch contains the mistakes so far', () => {
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
