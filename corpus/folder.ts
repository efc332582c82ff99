import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { digestOf } from '../src/digest.ts';
import { InputError, OptionError, UsageError } from '../src/errors.ts';
import { attempt, explaining, isRegularFile, makeFolder, sizeOfFile } from '../src/files/files.ts';
import { claim } from '../src/files/lock.ts';
import { replaceFile } from '../src/files/replacement.ts';
import type { CorpusKind } from './inputs.ts';
import type { ShardFigures } from './parse-shard.ts';
import type { ParsingOptions, Refusal, ShardPart } from './queue/protocol.ts';
import type { Shard, ShardEnd } from './shards.ts';

/** Settings that must be the same for all processes that work on a corpus. */
export interface CorpusSettings {
  readonly version: string;
  readonly model: { readonly name: string; readonly digest: string };
  readonly options: ParsingOptions & {
    readonly shardSize: number;
    /** Absent: by the names of the files. */
    readonly input?: CorpusKind | undefined;
  };
}

interface SavedSettings extends CorpusSettings {
  /** Number of shards; absent until a process has read the corpus to its end. */
  readonly shards?: number;
}

export interface DoneShard extends ShardFigures, InputRecord {
  readonly file: string;
  /** Bytes of the file. */
  readonly size: number;
  readonly sha256: string;
  readonly seconds: number;
}

export interface FailedShard extends InputRecord {
  readonly failed: Pick<Refusal, 'problem' | 'file' | 'byte'>;
  readonly attempts: number;
}

/** What a shard was read from, and when it was finished. */
interface InputRecord {
  readonly shard: number;
  readonly inputs: readonly ShardPart[];
  readonly inputDigest: string;
  /** Milliseconds since 1970. */
  readonly ended: number;
  /** For these see `Shard`. */
  readonly share?: number | undefined;
  readonly follows?: ShardEnd | undefined;
}

export type ShardRecord = DoneShard | FailedShard;

export function isDone(record: ShardRecord): record is DoneShard {
  return !('failed' in record);
}

/** A record outside the manifest, as it was read. */
interface LooseRecord {
  readonly file: string;
  readonly text: string;
}

const SETTINGS = 'corpus.json';
const MANIFEST = 'manifest.jsonl';
const SHARDS = 'shards';
const RECORDS = 'records';

/**
 * The output folder of a corpus, on which any number of processes can work:
 * - `corpus.json`: the settings;
 * - `shards/000001.conllu.gz`, …: the output;
 * - `records/000001.json`, …: one record for each shard, until it is moved into the manifest;
 * - `manifest.jsonl`: the records, one line per shard; each process that ends moves all records there.
 */
export class CorpusFolder {
  /** Number of known records that are not in the manifest. */
  private loose = 0;

  private constructor(
    readonly path: string,
    private saved: SavedSettings,
  ) {}

  /** Makes or reopens the folder; throws `UsageError` if it was begun with other settings. */
  static async begin(path: string, settings: CorpusSettings): Promise<CorpusFolder> {
    const saved = savedIn(path) ?? (await saveFirst(path, settings));
    checkSame(saved, settings, path);
    for (const name of [SHARDS, RECORDS]) await makeFolder(join(path, name));
    return new CorpusFolder(path, saved);
  }

  /** Opens the folder; throws `InputError` if it contains no corpus. */
  static open(path: string): CorpusFolder {
    const saved = savedIn(path);
    if (saved !== undefined) return new CorpusFolder(path, saved);
    throw new InputError(`no ${SETTINGS}: not the output of a corpus`, { file: path });
  }

  get settings(): CorpusSettings {
    return this.saved;
  }

  get shards(): number | undefined {
    return this.saved.shards;
  }

  /** Saves the number of shards; throws `InputError` if another number was saved before. */
  async saveShards(shards: number): Promise<void> {
    await alone(join(this.path, SETTINGS), () => {
      // Another process may have saved it since.
      const { shards: before = shards } = savedIn(this.path) ?? this.saved;
      if (before !== shards)
        throw new InputError(
          `has another number of shards (${shards}) than when it was first read (${before}): name another folder`,
          { file: 'the input' },
        );
      if (this.saved.shards === shards) return;
      this.saved = { ...this.saved, shards };
      save(this.path, this.saved);
    });
  }

  /** The paths of all files. */
  get files(): string[] {
    const shards = Array.from({ length: this.shards ?? 0 }, (_, i) => this.fileOf(i + 1));
    const others = [SETTINGS, MANIFEST].map((name) => join(this.path, name));
    return [...others, ...this.looseRecords(), ...shards];
  }

  fileOf(shard: number): string {
    return join(this.path, this.nameOf(shard));
  }

  private nameOf(shard: number): string {
    const { to, isCompressed } = this.saved.options;
    return `${SHARDS}/${numbered(shard)}.${to}${isCompressed && to !== 'parquet' ? '.gz' : ''}`;
  }

  /** The records of all shards that the input has. */
  *records(): Generator<ShardRecord> {
    const { shards = Number.POSITIVE_INFINITY } = this;
    // Loose records first: another process may be moving them into the manifest.
    for (const line of this.lines(this.readLoose())) {
      // The shard of a damaged record is parsed again.
      const record = attempt<ShardRecord>(() => JSON.parse(line));
      if (record !== undefined && record.shard <= shards) yield record;
    }
  }

  /** The records as JSON, by number of the shard; records in the manifest are read one by one. */
  private *lines(records: readonly LooseRecord[]): Generator<string> {
    const loose = records.map(({ text }) => text.trim()).sort((a, b) => shardOf(a) - shardOf(b));
    this.loose = loose.length;
    let next = 0;
    for (const line of linesOf(join(this.path, MANIFEST))) {
      const shard = shardOf(line);
      for (; next < loose.length && shardOf(loose[next]) < shard; next++) yield loose[next];
      // Of two records of a shard the loose one is newer.
      if (next === loose.length || shardOf(loose[next]) !== shard) yield line;
    }
    yield* loose.slice(next);
  }

  private readLoose(): LooseRecord[] {
    return this.looseRecords().flatMap((file) => {
      const text = textOf(file);
      return text === undefined ? [] : { file, text };
    });
  }

  private looseRecords(): string[] {
    const folder = join(this.path, RECORDS);
    const names = attempt(() => readdirSync(folder)) ?? [];
    return names.filter((name) => /^\d+\.json$/.test(name)).map((name) => join(folder, name));
  }

  /** Whether the output file of a finished shard is still there. */
  hasOutput({ shard, size }: Pick<DoneShard, 'shard' | 'size'>): boolean {
    const file = this.fileOf(shard);
    return isRegularFile(file) === true && sizeOfFile(file) === size;
  }

  /** Writes a shard's output file and its record. */
  finish(shard: Shard, bytes: Uint8Array, figures: ShardFigures & { readonly seconds: number }): DoneShard {
    replaceFile(this.fileOf(shard.number), [bytes]);
    const record: DoneShard = {
      shard: shard.number,
      file: this.nameOf(shard.number),
      ...figures,
      seconds: Math.round(figures.seconds * 1000) / 1000,
      size: bytes.length,
      sha256: digestOf([bytes]),
      ...inputOf(shard),
    };
    return this.record(record);
  }

  /** Writes the record of a shard that could not be parsed. */
  fail(shard: Shard, failed: FailedShard['failed'], attempts: number): FailedShard {
    return this.record({ shard: shard.number, failed, attempts, ...inputOf(shard) });
  }

  private record<Kind extends ShardRecord>(record: Kind): Kind {
    const file = join(this.path, RECORDS, `${numbered(record.shard)}.json`);
    replaceFile(file, [Buffer.from(`${JSON.stringify(record)}\n`)]);
    this.loose++;
    return record;
  }

  /** Moves records into the manifest if there are many. */
  async tidy(): Promise<void> {
    if (this.loose >= MOST_LOOSE) await this.writeManifest();
  }

  /** Moves all records into the manifest; one process at a time. */
  async writeManifest(): Promise<void> {
    this.loose = 0;
    const path = join(this.path, MANIFEST);
    await alone(path, () => {
      const loose = this.readLoose();
      replaceFile(path, this.manifest(loose));
      // A process that has parsed a failed shard again may have replaced its record since.
      for (const { file, text } of loose) if (textOf(file) === text) rmSync(file, { force: true });
    });
  }

  private *manifest(loose: readonly LooseRecord[]): Generator<Buffer> {
    // The shares are needed only to estimate the number of shards.
    const estimate = this.shards === undefined ? /$^/ : /,"share":[^,}]+(?=\}$)/;
    for (const line of this.lines(loose)) yield Buffer.from(`${line.replace(estimate, '')}\n`);
    this.loose = 0;
  }
}

/** The number of the shard of a record in JSON, which begins with it. */
const shardOf = (line: string) => Number.parseInt(line.slice('{"shard":'.length), 10);
/** Milliseconds between attempts to claim a file that another process is writing. */
const WAIT = 50;
/** Maximum number of records outside the manifest: each is a file, and all are read into memory. */
const MOST_LOOSE = 5000;
const LINE_FEED = 10;

/** Does something with a file of the folder while no other process does. */
async function alone<T>(path: string, action: () => T): Promise<T> {
  let claimed = claim(path);
  for (; claimed === undefined; claimed = claim(path)) await setTimeout(WAIT);
  try {
    return action();
  } finally {
    claimed.release();
  }
}

const textOf = (file: string): string | undefined => attempt(() => readFileSync(file, 'utf8'));

/** Yields the lines of a file, read in chunks; none if there is no file. */
function* linesOf(path: string): Generator<string> {
  const file = attempt(() => openSync(path, 'r'));
  if (file === undefined) return;
  try {
    const chunk = Buffer.alloc(1 << 16);
    let rest = Buffer.alloc(0);
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      rest = Buffer.concat([rest, chunk.subarray(0, read)]);
      const end = rest.lastIndexOf(LINE_FEED);
      if (end >= 0) yield* rest.toString('utf8', 0, end).split('\n');
      rest = rest.subarray(end + 1);
    }
  } finally {
    closeSync(file);
  }
}

function inputOf({ parts, bytes, share, follows }: Shard): Omit<InputRecord, 'shard'> {
  return { inputs: parts, inputDigest: digestOf([bytes]), ended: Date.now(), follows, share };
}

const numbered = (shard: number) => String(shard).padStart(6, '0');

/** Saves settings in a new folder; gives those of another process that was faster. */
async function saveFirst(path: string, settings: CorpusSettings): Promise<SavedSettings> {
  await makeFolder(path);
  return alone(join(path, SETTINGS), () => {
    const saved = savedIn(path);
    if (saved === undefined) save(path, settings);
    return saved ?? settings;
  });
}

function save(path: string, settings: SavedSettings): void {
  replaceFile(join(path, SETTINGS), [Buffer.from(`${JSON.stringify(settings, null, 2)}\n`)]);
}

function savedIn(path: string): SavedSettings | undefined {
  const file = join(path, SETTINGS);
  if (!existsSync(file)) return undefined;
  const text = explaining(file, 'cannot be read', () => readFileSync(file, 'utf8'));
  const saved = attempt(() => JSON.parse(text) as SavedSettings);
  if (saved?.options === undefined) throw new InputError('damaged: not the settings of a corpus', { file });
  return saved;
}

function checkSame(saved: SavedSettings, { model, version, options }: CorpusSettings, path: string): void {
  const refusal = (problem: string) => `${path} was begun ${problem}: name another folder`;
  if (saved.model.digest !== model.digest)
    throw new UsageError(refusal(`with another model, ${saved.model.name}`));
  if (saved.version !== version)
    throw new UsageError(refusal(`with version ${saved.version}, not ${version}`));
  const names = Object.keys(options) as (keyof CorpusSettings['options'])[];
  const other = names.find((name) => JSON.stringify(saved.options[name]) !== JSON.stringify(options[name]));
  if (other === undefined) return;
  const value = saved.options[other];
  throw new OptionError((option) => {
    if (other === 'isCompressed') return refusal(`${value ? 'without' : 'with'} ${option('noGzip')}`);
    if (value === undefined) return refusal(`with no ${option(other)}`);
    return refusal(`with another value of ${option(other)} (${JSON.stringify(value)})`);
  });
}
