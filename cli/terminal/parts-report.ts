import type { PartProgress } from '../../combine/training/part-progress.ts';
import { duration, say } from './output.ts';
import { type Progress, progress } from './progress.ts';

/** How long a part takes, roughly, in the time of the shortest. */
const lengths: Readonly<Record<string, number>> = { tokenizer: 1, tagger: 8, lemmatizer: 1, folds: 80 };
const USUAL_LENGTH = 8;

/** A part of a pipeline that has been learnt: in how many seconds, or that it was there already. */
export interface PartRecord {
  readonly part: string;
  readonly seconds: number;
  readonly isKept?: boolean | undefined;
}

/** Follows the training of a pipeline's parts, several of which may be learnt at a time. */
export class PartsReport {
  readonly records: PartRecord[] = [];
  private readonly quiet: boolean;
  private readonly progress: Progress;
  /** When each part at work was heard of first, and how much of it is done. */
  private readonly atWork = new Map<string, { readonly begun: number; share: number }>();

  constructor(quiet: boolean) {
    this.quiet = quiet;
    this.progress = progress('%', quiet);
  }

  update({ part, share, isOver = false, isKept }: PartProgress): void {
    const begun = this.atWork.get(part)?.begun ?? performance.now();
    if (isOver) this.finish(part, begun, isKept);
    else this.show(part, begun, share);
  }

  /** Takes the progress line away. */
  clear(): void {
    this.progress.clear();
  }

  private show(part: string, begun: number, share: number): void {
    this.atWork.set(part, { begun, share });
    let done = 0;
    let all = 0;
    for (const [name, { share }] of this.atWork) {
      const length = lengths[name] ?? USUAL_LENGTH;
      done += length * share;
      all += length;
    }
    this.progress.update([...this.atWork.keys()].join(', '), (100 * done) / all, 100);
  }

  private finish(part: string, begun: number, isKept: boolean | undefined): void {
    const seconds = (performance.now() - begun) / 1000;
    this.atWork.delete(part);
    this.records.push({ part, seconds, isKept });
    this.progress.clear();
    if (!this.quiet)
      say(`${part.padEnd('lemmatizer'.length)}  ${isKept ? 'kept from before' : duration(seconds)}`);
  }
}
