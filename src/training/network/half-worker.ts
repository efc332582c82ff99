/** Entry of a worker thread that computes the gradients of the second half of every batch. */
import type { EncodedSentence } from '../../encoding/columns.ts';
import type { NumberingSettings } from '../../encoding/numbering.ts';
import { keepDescriptions } from '../../learn/encoder/published/published-encoder.ts';
import { NetworkMemory, type SecondHalf } from '../../learn/network/memory.ts';
import type { NetworkModel } from '../../learn/network/network-model.ts';
import type { SentenceSettings } from '../../learn/network/sentence-network.ts';
import { ModelReader } from '../../model/model-reader.ts';
import { BatchHalf, type SentenceLearner, SharedBatch, ValueDropout } from './batch-half.ts';
import type { NetworkLearning } from './options.ts';

export interface HalfTask {
  /** The built module that exports a `LearnerModule`. */
  readonly module: string;
  /** The model file of the network. */
  readonly model: SharedArrayBuffer;
  readonly memory: SecondHalf;
  readonly examples: readonly EncodedSentence[];
  readonly learning: Pick<NetworkLearning, 'silver'>;
  readonly seed: number;
  readonly shared: SharedArrayBuffer;
}

type Network = Omit<NetworkModel<NumberingSettings & SentenceSettings>, 'weights'>;

interface LearnerModule {
  readModel(file: ModelReader): Network;
  /** A network in training; its weights are in the shared memory. */
  learnerOf(model: Network, memory: NetworkMemory): SentenceLearner<EncodedSentence>;
}

let opened: { readonly half: BatchHalf<EncodedSentence>; readonly shared: SharedBatch } | undefined;

/** Opens the learner (with a task), or learns batches until the thread is terminated. */
export default async function work(task: HalfTask | undefined): Promise<void> {
  if (task === undefined) learnBatches();
  else await open(task);
}

async function open({ module, model, memory, examples, learning, seed, shared }: HalfTask): Promise<void> {
  keepDescriptions();
  const { readModel, learnerOf } = (await import(module)) as LearnerModule;
  const network = readModel(ModelReader.fromBuffer(model, 'network'));
  const learner = learnerOf(network, new NetworkMemory(undefined, memory));
  const dropout = new ValueDropout(network.numbering.encoder, network.settings.columns, examples);
  const half = new BatchHalf(1, learner, examples, dropout, learning, seed);
  opened = { half, shared: new SharedBatch(shared) };
}

function learnBatches(): void {
  const { half, shared } = opened!;
  try {
    for (;;) {
      shared.barrier();
      half.addGradients(shared.batch, shared.position);
      half.step(shared);
    }
  } catch (error) {
    shared.fail();
    throw error;
  }
}
