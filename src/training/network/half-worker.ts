/** Entry of a worker thread that computes the gradients of the second half of every batch. */
import type { ColumnEncoder, EncodedColumn, EncodedSentence } from '../../encoding/columns.ts';
import { keepDescriptions } from '../../learn/encoder/published/published-encoder.ts';
import { NetworkMemory, type SecondHalf } from '../../learn/network/memory.ts';
import { ModelReader } from '../../model/model-reader.ts';
import { BatchHalf, type SentenceLearner, SharedBatch, ValueDropout } from './batch-half.ts';
import type { NetworkLearning } from './options.ts';

/** A network in training, opened from a model file; its weights are in the shared memory. */
export interface OpenedLearner {
  readonly encoder: ColumnEncoder;
  readonly columns: readonly EncodedColumn[];
  readonly learner: SentenceLearner<EncodedSentence>;
}

export interface HalfTask {
  /** The built module that exports `openLearner`. */
  readonly module: string;
  /** The model file of the network. */
  readonly model: SharedArrayBuffer;
  readonly memory: SecondHalf;
  readonly examples: readonly EncodedSentence[];
  readonly learning: Pick<NetworkLearning, 'silver'>;
  readonly seed: number;
  readonly shared: SharedArrayBuffer;
}

interface LearnerModule {
  openLearner(model: ModelReader, memory: NetworkMemory): OpenedLearner;
}

let opened: { readonly half: BatchHalf<EncodedSentence>; readonly shared: SharedBatch } | undefined;

/** Opens the learner (with a task), or learns batches until the thread is terminated. */
export default async function work(task: HalfTask | undefined): Promise<void> {
  if (task === undefined) learnBatches();
  else await open(task);
}

async function open({ module, model, memory, examples, learning, seed, shared }: HalfTask): Promise<void> {
  keepDescriptions();
  const { openLearner } = (await import(module)) as LearnerModule;
  const second = new NetworkMemory(undefined, memory);
  const { learner, encoder, columns } = openLearner(ModelReader.fromBuffer(model, 'network'), second);
  const dropout = new ValueDropout(encoder, columns, examples);
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
