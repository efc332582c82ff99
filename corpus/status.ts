import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { digestOf } from '../src/digest.ts';
import { InputError, UsageError } from '../src/errors.ts';
import { explaining, fileError } from '../src/files/files.ts';
import { Replacement } from '../src/files/replacement.ts';
import { CorpusFolder, type DoneShard, type FailedShard, isDone, type ShardRecord } from './folder.ts';
import { endOf } from './shards.ts';

/** Milliseconds, before the end of the latest shard, over which the speed is measured. */
const RECENT = 600_000;

/** Reads the progress of the work in an output folder; throws `InputError` if it contains no corpus. */
export function corpusStatus(path: string) {
  const folder = CorpusFolder.open(path);
  const done: Pick<DoneShard, 'sentences' | 'words' | 'seconds' | 'ended'>[] = [];
  const failed: FailedShard[] = [];
  let furthest: ShardRecord | undefined;
  for (const record of folder.records()) {
    if (record.share !== undefined) furthest = record;
    if (isDone(record)) {
      const { sentences, words, seconds, ended } = record;
      done.push({ sentences, words, seconds, ended });
    } else failed.push(record);
  }
  const estimated = furthest?.share ? Math.round(furthest.shard / furthest.share) : undefined;
  const total = folder.shards ?? (estimated && Math.max(estimated, furthest!.shard));
  const words = sum(done, 'words');
  const wordsPerSecond = rateOf(done);
  const left = total === undefined ? undefined : Math.max(0, total - done.length - failed.length);
  return {
    model: folder.settings.model.name,
    done: done.length,
    failed,
    // An estimate until a process has read the whole input; undefined before the first shard is finished.
    total,
    isExact: folder.shards !== undefined,
    sentences: sum(done, 'sentences'),
    words,
    // Recent speed of all processes together.
    wordsPerSecond,
    secondsLeft:
      left === undefined || !wordsPerSecond ? undefined : (left * (words / done.length)) / wordsPerSecond,
  };
}

function rateOf(done: readonly Pick<DoneShard, 'words' | 'seconds' | 'ended'>[]): number | undefined {
  const latest = done.reduce((most, { ended }) => Math.max(most, ended), 0);
  const recent = done.filter(({ ended }) => latest - ended < RECENT);
  const started = recent.reduce(
    (least, { ended, seconds }) => Math.min(least, ended - 1000 * seconds),
    latest,
  );
  return latest > started ? (1000 * sum(recent, 'words')) / (latest - started) : undefined;
}

/**
 * Joins the output of all shards, in order, into one file, gzipped if its name ends in `.gz`; whole or not at all.
 *
 * @throws InputError if shards are missing or damaged, or come from different states of the input
 */
export async function mergeShards(
  path: string,
  output: string,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<{ readonly shards: number; readonly sentences: number; readonly words: number }> {
  const folder = CorpusFolder.open(path);
  const done: Pick<DoneShard, 'shard' | 'sha256' | 'sentences' | 'words'>[] = [];
  let before: DoneShard | undefined;
  for (const record of folder.records()) {
    if (!isDone(record)) continue;
    if (before?.shard === record.shard - 1) checkContinues(before, record, path);
    before = record;
    const { shard, sha256, sentences, words } = record;
    done.push({ shard, sha256, sentences, words });
  }
  checkComplete(folder, done.length);
  const { to, isCompressed: isZipped } = folder.settings.options;
  if (to === 'parquet')
    throw new UsageError(`Parquet files are read together, not joined: ${path}/shards/*.parquet`);
  const recode = output.endsWith('.gz') === isZipped ? undefined : isZipped ? gunzipSync : gzipSync;
  const file = new Replacement(output);
  try {
    for (const [i, { shard, sha256 }] of done.entries()) {
      const name = folder.fileOf(shard);
      const bytes = explaining(name, 'cannot be read', () => readFileSync(name));
      if (digestOf([bytes]) !== sha256)
        throw new InputError('damaged: delete it, and parse the corpus into this folder again', {
          file: name,
        });
      file.write(recode?.(bytes) ?? bytes);
      onProgress(i + 1, done.length);
    }
    // No bytes at all are no gzip.
    if (done.length === 0 && output.endsWith('.gz')) file.write(gzipSync(''));
    file.commit();
  } catch (error) {
    throw fileError(error, output, 'cannot be written');
  } finally {
    file.discard();
  }
  return { shards: done.length, sentences: sum(done, 'sentences'), words: sum(done, 'words') };
}

function sum<Name extends string>(shards: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return shards.reduce((all, each) => all + each[name], 0);
}

/** Processes that read different states of the input leave text out between their shards, or repeat it. */
function checkContinues(before: DoneShard, { shard, follows }: DoneShard, path: string): void {
  if (follows === undefined || isDeepStrictEqual(follows, endOf(before.inputs))) return;
  throw new InputError(
    `shard ${shard} does not begin where shard ${before.shard} ends, for the input has changed: parse it into another folder`,
    { file: path },
  );
}

function checkComplete({ path, shards }: CorpusFolder, done: number): void {
  if (done === shards) return;
  const of =
    shards === undefined ? 'their number is not known yet' : `${shards - done} of ${shards} are missing`;
  throw new InputError(`not all shards are finished: ${of}`, { file: path });
}
