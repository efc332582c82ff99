import { z } from 'zod';
import type { PartProgress } from '../../combine/parser-part.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { type CheckpointFile, otherTraining } from '../../src/training/checkpoint-file.ts';
import type { CheckpointStore, NamedScores, TrainingProgress } from '../../src/training/training-run.ts';
import { count, duration, log } from './output.ts';
import { progress, type ShowProgress } from './progress.ts';

const scoresSchema = z.record(z.string(), z.number().optional());
const recordSchema = z.object({
  epoch: z.number(),
  seconds: z.number(),
  sentencesPerSecond: z.number().optional(),
  training: scoresSchema.optional(),
  member: scoresSchema.optional(),
  dev: scoresSchema.optional(),
  kept: z.object({ epoch: z.number() }).catchall(z.number().optional()).optional(),
});

/** Figures of an epoch. `seconds` include scoring held-out data, `sentencesPerSecond` does not. */
export type EpochRecord = z.infer<typeof recordSchema>;

interface Moment {
  readonly time: number;
  readonly done: number;
}

/** Shows the progress of a training, prints a line per epoch, and records the epochs' figures. */
export class EpochReport {
  records: EpochRecord[] = [];
  private readonly show: ShowProgress;
  private readonly opened = performance.now();
  /** The first and the last progress report of the epoch; its speed is measured between them. */
  private first: Moment | undefined;
  private last: Moment | undefined;

  constructor(private readonly quiet: boolean) {
    this.show = progress('sentences', quiet);
  }

  update(now: TrainingProgress<NamedScores>): void {
    const { epoch, epochs, done, total } = now;
    if (now.isOver || now.training !== undefined || now.dev !== undefined) {
      this.finishEpoch(now);
      return;
    }
    this.last = { time: performance.now(), done: sentencesDone(now) };
    this.first ??= this.last;
    const title = `${now.unit ?? 'epoch'} ${epoch}/${epochs}`;
    this.show(title, (epoch - 1) * total + done, epochs * total);
  }

  private finishEpoch(now: TrainingProgress<NamedScores>): void {
    const { unit = 'epoch', epoch, epochs, total, mayEndEarly, training, member, dev, kept, end } = now;
    const moment = { time: performance.now(), done: sentencesDone(now) };
    const first = this.first ?? { time: this.opened, done: 0 };
    const last = unit === 'member' || this.last === undefined || this.last === first ? moment : this.last;
    const record = {
      epoch,
      seconds: ((moment.time - first.time) / 1000) * Math.min(1, total / (moment.done - first.done)),
      sentencesPerSecond: unit === 'pass' || mayEndEarly ? undefined : rate(first, last),
      training,
      member,
      dev,
      kept,
    };
    this.records.push(record);
    if (unit === 'epoch') this.first = undefined;
    this.last = undefined;
    if (!this.quiet) log(epochLine(unit, record, epochs, end !== undefined));
  }
}

/** Sentences in the current timing: of one epoch, or of all members so far, which are trained at the same time. */
function sentencesDone({ unit, epoch, done, total }: TrainingProgress<NamedScores>): number {
  return unit === 'member' ? (epoch - 1) * total + done : done;
}

/** Sentences per second; undefined where a single report says that all is done. */
function rate(from: Moment, to: Moment): number | undefined {
  const done = to.done - from.done;
  return done === 0 ? undefined : (1000 * done) / Math.max(to.time - from.time, 1);
}

/** `epoch 3/10  2,345 sentences/s  training UAS 91.2 LAS 89.0  dev UAS 86.1 LAS 83.5  ETA 12 s`. */
function epochLine(
  unit: NonNullable<TrainingProgress['unit']>,
  { epoch, seconds, sentencesPerSecond, training, member, dev }: EpochRecord,
  epochs: number,
  isLast: boolean,
): string {
  const parts = [
    `${unit} ${String(epoch).padStart(String(epochs).length)}/${epochs}`,
    ...(sentencesPerSecond === undefined ? [] : [`${count(sentencesPerSecond)} sentences/s`]),
    ...scoreTexts('training', training),
    ...scoreTexts('alone', member),
    ...scoreTexts('dev', dev),
  ];
  if (epoch < epochs && !isLast) parts.push(`ETA ${duration((epochs - epoch) * seconds)}`);
  return parts.join('  ');
}

/** The final scores on held-out data: of the epoch kept, with its number, or else of the last epoch. */
export function scoresAtEnd(records: readonly EpochRecord[]): NamedScores | undefined {
  const last = records.at(-1);
  return last?.kept ?? last?.dev;
}

const titles: Readonly<Record<string, string>> = { uas: 'UAS', las: 'LAS', f1: 'F1' };

/** `dev UAS 86.10 LAS 83.50`, or nothing. */
export function scoreTexts(of: string, scores: NamedScores | undefined): string[] {
  if (scores === undefined) return [];
  const texts = Object.entries(scores).flatMap(([name, value]) =>
    value === undefined ? [] : `${titles[name] ?? name} ${value.toFixed(2)}`,
  );
  return [[of, ...texts].join(' ')];
}

/** Checkpoints in a file; `isKept`: whether there is one of this training, resumed or saved. */
export class TrackedCheckpoints implements CheckpointStore {
  isKept: boolean;

  constructor(private readonly file: CheckpointFile) {
    this.isKept = file.isResumable;
  }

  load(): ModelReader | undefined {
    return this.file.load();
  }

  save(write: (checkpoint: ModelWriter) => void): void {
    this.file.save(write);
    this.isKept = true;
  }

  remove(): void {
    if (this.isKept) this.file.remove();
  }
}

/** Checkpoints that also hold the records of the epochs, so that a resumed training reports all of them. */
export class RecordedCheckpoints extends TrackedCheckpoints {
  /** @param heldOut digest of the held-out data, which all epochs must be scored on */
  constructor(
    file: CheckpointFile,
    private readonly report: EpochReport,
    private readonly heldOut: string | undefined,
  ) {
    super(file);
  }

  override load(): ModelReader | undefined {
    const state = super.load();
    if (state === undefined) return undefined;
    if (state.header.heldOut !== this.heldOut) throw otherTraining(state);
    this.report.records = state.field('epochs', z.array(recordSchema));
    return state;
  }

  override save(write: (checkpoint: ModelWriter) => void): void {
    super.save((checkpoint) => {
      Object.assign(checkpoint.header, { epochs: this.report.records, heldOut: this.heldOut });
      write(checkpoint);
    });
  }
}

/** Relative training times of a pipeline's parts, for the progress display. */
const durations: Readonly<Record<string, number>> = { tokenizer: 1, tagger: 8, lemmatizer: 1, folds: 80 };
const USUAL_DURATION = 8;

export interface PartRecord {
  readonly part: string;
  readonly seconds: number;
  /** Seconds after the beginning of the whole training: parts may be trained at the same time. */
  readonly start: number;
  readonly isKept?: boolean | undefined;
}

/** Shows the progress of a pipeline's parts, and prints and records their times. */
export class PartsReport {
  readonly records: PartRecord[] = [];
  private readonly showProgress: ShowProgress;
  private readonly opened = performance.now();
  private readonly atWork = new Map<string, { readonly begun: number; share: number }>();

  constructor(private readonly quiet: boolean) {
    this.showProgress = progress('%', quiet);
  }

  update({ part, share, isOver = false, isKept }: PartProgress): void {
    const begun = this.atWork.get(part)?.begun ?? performance.now();
    if (isOver) this.finish(part, begun, isKept);
    else this.show(part, begun, share);
  }

  private show(part: string, begun: number, share: number): void {
    this.atWork.set(part, { begun, share });
    let done = 0;
    let all = 0;
    for (const [name, { share }] of this.atWork) {
      const length = durations[name] ?? USUAL_DURATION;
      done += length * share;
      all += length;
    }
    this.showProgress([...this.atWork.keys()].join(', '), (100 * done) / all, 100);
  }

  private finish(part: string, begun: number, isKept: boolean | undefined): void {
    const seconds = (performance.now() - begun) / 1000;
    const start = (begun - this.opened) / 1000;
    this.atWork.delete(part);
    this.records.push({ part, seconds, start, isKept });
    if (this.quiet) return;
    const clock = `${duration(start)} to ${duration(start + seconds)}`;
    log(`${part.padEnd('lemmatizer'.length)}  ${isKept ? 'reused' : `${duration(seconds)} (${clock})`}`);
  }
}
