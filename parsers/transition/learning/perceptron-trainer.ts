import { quantizedTogether } from '../../../src/learn/linear/weights.ts';
import { Random } from '../../../src/learn/random.ts';
import { runEpochs } from '../../../src/training/epochs.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { EpochScores, TrainingRun } from '../../../src/training/training-run.ts';
import { TrainingState } from '../../../src/training/training-state.ts';
import type { PerceptronSettings } from '../options.ts';
import type { TransitionTrainingData } from '../training-data.ts';
import { TransitionModel, type TransitionWeights, weightCounts } from '../transition-model.ts';
import { BeamPerceptron } from './beam-perceptron.ts';
import { GreedyPerceptron } from './greedy-perceptron.ts';

type State = TrainingState<'actions' | 'labels'>;

/** Trains a perceptron through all epochs; gives the averaged weights. */
export async function trainPerceptron(
  data: TransitionTrainingData,
  settings: PerceptronSettings,
  scoreDev: (weights: TransitionWeights) => Promise<EpochScores | undefined>,
  fingerprint: string,
  run: TrainingRun,
): Promise<TransitionWeights> {
  const { numbering, examples } = data;
  const { bits, epochs, shuffle } = settings;
  const state: State = new TrainingState(weightCounts(bits, numbering.labels.length), fingerprint);
  const saved = run.checkpoints?.load();
  if (saved !== undefined) state.restore(saved);
  const model = new TransitionModel(data);
  const learn = learnerOf(model, settings, state, run.seed);
  const task = {
    state,
    epochs,
    shuffle,
    total: examples.length,
    learn: (i: number) => learn(examples[i]),
    scores: async () => ({ dev: await scoreDev(averaged(state)) }),
  };
  await runEpochs(task, run);
  return averaged(state);
}

/** Learns by the search that the parser will use. */
function learnerOf(
  model: TransitionModel,
  settings: PerceptronSettings,
  state: State,
  seed: number,
): (example: Example) => void {
  if (settings.beam > 1) {
    const learner = new BeamPerceptron(model, state.weights, settings);
    return (example) => learner.learn(example);
  }
  const learner = new GreedyPerceptron(model, state.weights, settings);
  return (example) => {
    // Drawn anew for every sentence, so that a resumed training needs no generator's state.
    learner.learn(example, state.epoch > 1 ? new Random(seed, state.epoch, state.done) : undefined);
  };
}

function averaged({ weights }: State): TransitionWeights {
  const [actions, labels] = quantizedTogether([weights.actions.mean(), weights.labels.mean()]);
  return { actions, labels };
}
