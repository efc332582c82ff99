import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { runEpochs } from '../../src/training/epochs.ts';
import { scoreHeldOut } from '../../src/training/held-out.ts';
import type { TrainingProgress, TrainingRun } from '../../src/training/training-run.ts';
import { TrainingState } from '../../src/training/training-state.ts';
import { KeptCheckpoint } from '../support/kept-checkpoint.ts';
import { sentence } from '../support/sentences.ts';

const EPOCHS = 3;
const SENTENCES = 5;
const SIZE = 7;

type State = TrainingState<'arcs' | 'labels'>;

const newState = (fingerprint = 'one'): State => new TrainingState({ arcs: SIZE, labels: 2 }, fingerprint);

interface Training extends Partial<TrainingRun> {
  readonly shuffle?: boolean;
  /** Called with the number of every sentence that is trained on. */
  onSentence?(index: number): void;
}

/** The result depends on the order of the sentences and on the progress of the training. */
async function train(state: State, { shuffle = true, onSentence, ...run }: Training = {}): Promise<void> {
  const learn = (index: number) => {
    const { arcs, labels } = state.weights;
    arcs.add((3 * index + arcs.values[0]) & 3, 1 + index);
    labels.add(index & 1, -state.epoch);
    arcs.examples++;
    labels.examples += 2;
    state.tokens += 10;
    state.heads += 1 + index;
    state.rightArcs += state.epoch;
    onSentence?.(index);
  };
  const scores = async () => ({ training: { uas: state.heads, las: state.rightArcs } });
  const task = { state, epochs: EPOCHS, total: SENTENCES, shuffle, learn, scores };
  await runEpochs(task, { seed: 4, jobs: 1, ...run });
}

const everything = ({ weights, ...position }: State) =>
  JSON.stringify({ ...position, weights: Object.values(weights).map((one) => ({ ...one })) });

beforeEach(() => {
  let clock = 0;
  // The clock advances by a second whenever it is read, so that the training yields after every sentence.
  vi.spyOn(performance, 'now').mockImplementation(() => {
    clock += 1000;
    return clock;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a training in epochs', () => {
  test('gives the same state and the same scores if it is stopped after any sentence and resumed', async () => {
    const whole = newState();
    const scores: unknown[] = [];
    await train(whole, { onProgress: ({ training }) => training && scores.push(training) });
    expect(scores).toHaveLength(EPOCHS);
    for (let stop = 1; stop < EPOCHS * SENTENCES; stop++) {
      const checkpoints = new KeptCheckpoint();
      const controller = new AbortController();
      const told: unknown[] = [];
      const onProgress = ({ training }: TrainingProgress) => training && told.push(training);
      let learnt = 0;
      const onSentence = () => {
        learnt++;
        if (learnt === stop) controller.abort();
      };
      const stopped = train(newState(), { onSentence, onProgress, checkpoints, signal: controller.signal });
      await expect(stopped).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
      expect(learnt).toBe(stop);
      const resumed = newState();
      resumed.restore(checkpoints.load()!);
      expect((resumed.epoch - 1) * SENTENCES + resumed.done).toBe(stop);
      await train(resumed, { onProgress });
      expect(everything(resumed)).toBe(everything(whole));
      expect(told).toEqual(scores);
    }
  });

  test('ends when it is stopped, even if no state is saved', async () => {
    const controller = new AbortController();
    const stopped = train(newState(), { onSentence: () => controller.abort(), signal: controller.signal });
    await expect(stopped).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });

  test('uses every sentence once per epoch, either in a new order each time or always in the same order', async () => {
    const orders = async (shuffle: boolean, seed: number) => {
      const seen: number[] = [];
      await train(newState(), { shuffle, seed, onSentence: (index) => seen.push(index) });
      return Array.from({ length: EPOCHS }, (_, e) => seen.slice(e * SENTENCES, (e + 1) * SENTENCES));
    };
    const shuffled = await orders(true, 4);
    for (const order of shuffled) expect(order.toSorted()).toEqual([0, 1, 2, 3, 4]);
    expect(new Set(shuffled.map(String)).size).toBe(EPOCHS);
    expect(await orders(true, 5)).not.toEqual(shuffled);
    expect(await orders(false, 4)).toEqual(Array(EPOCHS).fill([0, 1, 2, 3, 4]));
  });

  test('reports its progress, and saves its state after every long epoch but the last', async () => {
    const told: TrainingProgress[] = [];
    const kept: [number, number, number][] = [];
    const checkpoints = new KeptCheckpoint();
    const save = checkpoints.save.bind(checkpoints);
    checkpoints.save = (write) => {
      save(write);
      const state = newState();
      state.restore(checkpoints.load()!);
      kept.push([state.epoch, state.done, state.tokens]);
    };
    await train(newState(), { checkpoints, onProgress: (progress) => told.push(progress) });
    expect(kept).toEqual([
      [2, 0, 0],
      [3, 0, 0],
    ]);
    const ofFirst = told.filter(({ epoch }) => epoch === 1);
    expect(ofFirst.map(({ done, isOver }) => (isOver ? `${done} over` : done))).toEqual([
      ...[0, 1, 2, 3, 4, 5, 5],
      '5 over',
    ]);
    expect(ofFirst.at(-1)).toMatchObject({ epochs: EPOCHS, total: SENTENCES, training: { uas: 15, las: 5 } });
  });
});

test('scoring of held-out sentences yields to the event loop and ends when it is stopped', async () => {
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  const heldOut = Array(1000).fill(sentence('a b', '0 1'));
  const parse = vi.fn((one) => one);
  await expect(scoreHeldOut(heldOut, parse, controller.signal)).rejects.toThrow('abort');
  expect(parse.mock.calls.length).toBeLessThan(10);
});

test('a saved state is refused by trainings with other options or other weights', async () => {
  const checkpoints = new KeptCheckpoint();
  const state = newState();
  checkpoints.save((file) => state.save(file));
  expect(() => newState('two').restore(checkpoints.load()!)).toThrow(UsageError);
  const fewer = new TrainingState({ arcs: SIZE, actions: 2 }, 'one');
  expect(() => fewer.restore(checkpoints.load()!)).toThrow('other options, data or seed');
});
