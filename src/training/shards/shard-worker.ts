/** Entry of a worker thread that learns shards of a linear training, one after another. */
import { workerData } from 'piscina';
import type { Position } from '../training-state.ts';
import type { Shard, ShardLearner, ShardWorkerData } from './parameter-mixing.ts';

interface LinearModule {
  readonly linear: { openShardLearner(data: ShardWorkerData): ShardLearner };
}

const data = workerData as ShardWorkerData;
const { linear } = (await import(data.module)) as LinearModule;
const learner = linear.openShardLearner(data);

export default async function learnShard(shard: Shard): Promise<Position> {
  await learner.learn(shard);
  return learner.state.position;
}
