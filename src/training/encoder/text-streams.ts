import type { Batch } from './language-model.ts';
import type { StreamShape } from './stream-lstm.ts';
import type { FormTable } from './training-text.ts';

export type Direction = 'forward' | 'backward';

/** A text cut into parallel streams of equal length, batch by batch; from the right, it is read from its end. */
export class TextStreams {
  readonly batches: number;
  private readonly batch: Batch;
  private readonly length: number;

  /** @param isWhole whether every word is read, in batches filled up with boundaries that predict nothing */
  constructor(
    private readonly tokens: Int32Array,
    private readonly forms: FormTable,
    private readonly direction: Direction,
    private readonly shape: StreamShape,
    isWhole = false,
  ) {
    const { streams, steps } = shape;
    const share = (tokens.length - 1) / streams;
    this.length = isWhole ? Math.ceil(share) : Math.floor(share);
    this.batches = isWhole ? Math.ceil(this.length / steps) : Math.floor(this.length / steps);
    const rows = () => new Int32Array(streams * steps);
    this.batch = { forms: rows(), next: rows(), starts: rows() };
  }

  /** The batch with a number from 0 on; it is overwritten by the next. */
  read(number: number): Batch {
    const { tokens, length, forms, shape, batch } = this;
    const last = tokens.length - 1;
    for (let row = 0; row < batch.forms.length; row++) {
      const within = number * shape.steps + Math.floor(row / shape.streams);
      const place = (row % shape.streams) * length + within;
      const isRead = within < length && place < last;
      const form = isRead ? tokens[this.direction === 'forward' ? place : last - place] : 0;
      const next = isRead ? tokens[this.direction === 'forward' ? place + 1 : last - place - 1] : -1;
      batch.forms[row] = form;
      batch.starts[row] = form === 0 ? 1 : 0;
      batch.next[row] = next === -1 ? -1 : forms.rows[next];
    }
    return batch;
  }
}
