/** Worker thread: parses one shard after another over weights shared by all threads. */

import { parentPort } from 'node:worker_threads';
import { workerData } from 'piscina';
import type { ModelCopy } from '../parsers/registry.ts';
import { openModel, type ParsedShard, parseShard } from './parse-shard.ts';
import type { ParsingOptions } from './queue/protocol.ts';
import type { ShardTask } from './run.ts';

const { model: copy, options } = workerData as { model: ModelCopy; options: ParsingOptions };
const model = await openModel(copy, options.keep);

export default function parse({ task, ...shard }: ShardTask): Promise<ParsedShard> {
  parentPort?.postMessage(task);
  return parseShard(model, shard, options);
}
