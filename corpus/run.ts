import { EventEmitter } from 'node:events';
import { digestOf, jsonDigest } from '../src/digest.ts';
import { InputError, OptionError } from '../src/errors.ts';
import { WorkerPool } from '../src/threads/worker-pool.ts';
import { type CorpusFolder, type DoneShard, type FailedShard, isDone } from './folder.ts';
import type { ParsedShard, ShardFigures } from './parse-shard.ts';
import type { ShardPart } from './queue/protocol.ts';
import type { Shard } from './shards.ts';

/** Every `of`-th shard, starting with number `part`. */
export interface Slice {
  readonly part: number;
  readonly of: number;
}

interface CorpusProgress {
  /** Finished shards, including those of earlier runs. */
  readonly done: number;
  /** Estimated from the share of the input that was read; undefined for standard input. */
  readonly total: number | undefined;
}

export interface RunOptions {
  readonly jobs: number;
  readonly timeout?: number | undefined;
  readonly slice?: Slice | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: CorpusProgress) => void) | undefined;
  readonly onWarning?: ((warning: string) => void) | undefined;
}

/** Figures of a run; sentences and words are counted in the shards parsed in this run. */
export interface CorpusFigures extends ShardFigures {
  readonly shards: number;
  /** Number of shards that were finished in earlier runs. */
  readonly before: number;
  readonly failed: readonly FailedShard[];
}

/** A shard as a thread receives it. */
export interface ShardTask extends Shard {
  /** What the thread posts when it begins. */
  readonly task: number;
}

/** A worker thread's module, whose default export turns a `ShardTask` into a `ParsedShard`, and its `workerData`. */
interface ShardWorker {
  readonly file: URL;
  readonly data: object;
}

/** Parses shards, in threads or on a queue. */
export interface ShardParser {
  /**
   * @param ending emits `abort` to give up the shard
   * @param onBegin called when a thread that is ready begins the shard
   */
  run(shard: Shard, ending: EventEmitter, onBegin: () => void): Promise<ParsedShard>;
  /** Gives up unfinished shards; may be called more than once. */
  end(): Promise<void>;
}

/** Maximum number of attempts to parse a shard whose input is not at fault. */
const ATTEMPTS = 2;

/**
 * Parses the shards that are not finished, `jobs` of them at a time. A shard that fails is tried again, then left out and
 * recorded as failed.
 *
 * @param parsing a worker module to run in threads, or a parser
 * @throws InputError if the input of a finished shard has changed, before any shard beside it is parsed
 * @throws OptionError for options that contradict the model or the input
 */
export async function runShards(
  folder: CorpusFolder,
  shards: AsyncGenerator<Shard>,
  parsing: ShardWorker | ShardParser,
  options: RunOptions,
): Promise<CorpusFigures> {
  const parser = 'file' in parsing ? threads(parsing, options.jobs) : parsing;
  const run = new CorpusRun(folder, parser, options);
  const unchanged = run.unchanged(shards);
  const stop = () => void parser.end();
  options.signal?.addEventListener('abort', stop);
  try {
    const lane = async () => {
      for await (const shard of run.toDo(unchanged)) {
        await run.parse(shard);
        await folder.tidy();
      }
    };
    await Promise.all(Array.from({ length: options.jobs }, lane));
    return run.figures;
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', stop);
    run.isEnded = true;
    void unchanged.return(undefined);
    await parser.end();
    await folder.writeManifest();
  }
}

export function threads({ file, data }: ShardWorker, count: number): ShardParser {
  const pool = new WorkerPool<ShardTask, ParsedShard>(file, count, data);
  const listeners = new Map<number, () => void>();
  pool.onMessage((task: number) => listeners.get(task)?.());
  let tasks = 0;
  return {
    async run(shard, ending, onBegin) {
      const task = ++tasks;
      listeners.set(task, onBegin);
      try {
        return await pool.run({ ...shard, task }, ending);
      } finally {
        listeners.delete(task);
      }
    },
    end: () => pool.end(),
  };
}

/**
 * Parses a shard within a number of seconds; throws an `Error` if that is exceeded. The start of a thread and the loading
 * of its model do not count.
 */
export async function runWithin(seconds: number | undefined, parser: ShardParser, shard: Shard) {
  const ending = new EventEmitter();
  let isLate = false;
  const end = () => {
    isLate = true;
    ending.emit('abort');
  };
  let timer: NodeJS.Timeout | undefined;
  const onBegin = () => {
    if (seconds !== undefined) timer = setTimeout(end, 1000 * seconds);
  };
  try {
    return await parser.run(shard, ending, onBegin);
  } catch (error) {
    throw isLate ? new Error(`not finished in ${seconds} s`) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Identifies the names of files, places and bytes that a shard is read from; a corpus may have many small files. */
const inputKey = (parts: readonly ShardPart[], digest: string) => jsonDigest([parts, digest]);

class CorpusRun {
  /** Set when the threads end: their unfinished shards have not failed. */
  isEnded = false;
  private readonly done = new Map<number, Pick<DoneShard, 'shard' | 'size'> & { readonly input: string }>();
  private readonly failures: FailedShard[] = [];
  private readonly sums = { sentences: 0, words: 0, withoutTree: 0, skipped: 0 };
  private seen = 0;
  private before = 0;
  private finished = 0;
  private total: number | undefined;

  constructor(
    private readonly folder: CorpusFolder,
    private readonly parser: ShardParser,
    private readonly options: RunOptions,
  ) {
    for (const record of folder.records()) {
      if (!isDone(record)) continue;
      const { shard, size, inputs, inputDigest } = record;
      this.done.set(shard, { shard, size, input: inputKey(inputs, inputDigest) });
    }
    this.total = folder.shards;
  }

  get figures(): CorpusFigures {
    const { seen: shards, before, failures } = this;
    return { shards, before, failed: failures.sort((a, b) => a.shard - b.shard), ...this.sums };
  }

  /**
   * Yields the shards of all slices, each when the next one has been checked: where a file was mended, shards may end
   * elsewhere, and text beside a finished shard would be lost or parsed twice.
   */
  async *unchanged(shards: AsyncGenerator<Shard>): AsyncGenerator<Shard> {
    let before: Shard | undefined;
    for await (const shard of shards) {
      this.check(shard);
      if (before !== undefined) yield before;
      before = shard;
    }
    this.total = before?.number ?? 0;
    await this.folder.saveShards(this.total);
    if (before !== undefined) yield before;
  }

  private check({ number, parts, bytes }: Shard): void {
    const { shards = Number.POSITIVE_INFINITY, path } = this.folder;
    if (number > shards)
      throw new InputError(`has more shards than when it was first read (${shards}): name another folder`, {
        file: 'the input',
      });
    const record = this.done.get(number);
    if (record === undefined || record.input === inputKey(parts, digestOf([bytes]))) return;
    const [{ file }] = parts;
    throw new InputError(
      `it has changed, or is not the input at this place, since ${path} was begun: name another folder`,
      { file },
    );
  }

  /** Yields the unfinished shards of this slice; simultaneous calls draw from the same `shards`. */
  async *toDo(shards: AsyncGenerator<Shard>): AsyncGenerator<Shard> {
    const { slice = { part: 0, of: 1 }, signal } = this.options;
    for (;;) {
      signal?.throwIfAborted();
      const { value: shard, done } = await shards.next();
      if (done) return;
      // Reading may have taken long.
      signal?.throwIfAborted();
      if (shard.number % slice.of !== slice.part % slice.of) continue;
      this.seen++;
      if (this.folder.shards === undefined && shard.share) this.total = shard.number / shard.share;
      const record = this.done.get(shard.number);
      if (record === undefined || !this.folder.hasOutput(record)) yield shard;
      else {
        this.before++;
        this.report();
      }
    }
  }

  async parse(shard: Shard): Promise<void> {
    const [{ file, byte }] = shard.parts;
    const refused = (problem: string) => ({ problem, file, byte });
    if (shard.problem !== undefined) return this.fail(shard, refused(shard.problem), 1);
    for (let attempt = 1; ; attempt++) {
      const started = performance.now();
      const parsed = await this.parseOnce(shard);
      if (typeof parsed === 'object') {
        if ('problem' in parsed) this.refuse(shard, parsed, attempt);
        else this.finish(shard, parsed, (performance.now() - started) / 1000);
        return;
      }
      if (attempt === ATTEMPTS) return this.fail(shard, refused(parsed), attempt);
      this.options.onWarning?.(`${file}, byte ${byte}: ${parsed}; shard ${shard.number} is tried again`);
    }
  }

  /** Parses a shard; returns the reason if the thread fails, for lack of memory or time, say. */
  private async parseOnce(shard: Shard): Promise<ParsedShard | string> {
    const { timeout, signal } = this.options;
    try {
      return await runWithin(timeout, this.parser, shard);
    } catch (error) {
      signal?.throwIfAborted();
      if (this.isEnded) throw error;
      return (error as Error).message;
    }
  }

  private finish(shard: Shard, parsed: Exclude<ParsedShard, { problem: string }>, seconds: number): void {
    const { bytes, warnings, ...figures } = parsed;
    this.folder.finish(shard, bytes, { ...figures, seconds });
    for (const name of ['sentences', 'words', 'withoutTree', 'skipped'] as const)
      this.sums[name] += figures[name];
    for (const warning of warnings) this.options.onWarning?.(warning);
    this.finished++;
    this.report();
  }

  private refuse(
    shard: Shard,
    { isUsage, ...failed }: Extract<ParsedShard, { problem: string }>,
    attempts: number,
  ): void {
    if (isUsage) {
      const { problem } = failed;
      throw new OptionError((option) =>
        problem.replace(/\{(\w+)(?: ([^}]*))?\}/g, (_, name, value) => option(name, value)),
      );
    }
    this.fail(shard, failed, attempts);
  }

  private fail(shard: Shard, failed: FailedShard['failed'], attempts: number): void {
    const { file, byte, problem } = failed;
    this.failures.push(this.folder.fail(shard, failed, attempts));
    this.options.onWarning?.(`${file}, byte ${byte}: ${problem}; shard ${shard.number} is left out`);
    this.finished++;
    this.report();
  }

  private report(): void {
    const { slice } = this.options;
    const total = this.total === undefined ? undefined : Math.ceil(this.total / (slice?.of ?? 1));
    this.options.onProgress?.({ done: this.before + this.finished, total });
  }
}
