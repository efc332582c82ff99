const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const DIGIT_0 = 48;
const DIGIT_9 = 57;
/** Maximum number of columns with a known position; further ones are only counted. */
const MOST = 10;
/** Maximum number of digits of an integer that fits an `Int32Array`. */
const MOST_DIGITS = 9;

/** A cursor over the tab-separated columns of a line. It is reused from line to line and allocates only requested fields. */
export class ColumnLine {
  /** Number of columns: tabs + 1. */
  count = 0;
  /** The end of the line's content, before LF and the CRs before it: CR CR LF comes of a conversion done twice. */
  end = 0;
  private text = '';
  /** Column i begins at starts[i]; its tab, or the end of the line, is at starts[i + 1] − 1. */
  private readonly starts = new Int32Array(MOST + 1);

  /** Moves the cursor to the line that starts at `start`. */
  read(text: string, start: number): void {
    const starts = this.starts;
    const length = text.length;
    let count = 1;
    let at = start;
    starts[0] = start;
    for (; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code === TAB) {
        if (count <= MOST) starts[count] = at + 1;
        count++;
      } else if (code === LINE_FEED) {
        break;
      }
    }
    this.text = text;
    this.count = count;
    while (at > start && text.charCodeAt(at - 1) === CARRIAGE_RETURN) at--;
    this.end = at;
    if (count <= MOST) starts[count] = this.end + 1;
  }

  get content(): string {
    return this.text.slice(this.starts[0], this.end);
  }

  field(column: number): string {
    return this.text.slice(this.starts[column], this.starts[column + 1] - 1);
  }

  start(column: number): number {
    return this.starts[column];
  }

  /** The first empty column, or −1. */
  emptyColumn(): number {
    for (let column = 0; column < this.count; column++)
      if (this.starts[column + 1] - this.starts[column] === 1) return column;
    return -1;
  }

  /** Whether a field has this value, compared without making a string. */
  equals(column: number, value: string): boolean {
    const start = this.starts[column];
    return this.starts[column + 1] - start === value.length + 1 && this.text.startsWith(value, start);
  }

  /** Reads a field as an integer of 1 to 9 decimal digits; −1 for anything else. */
  integer(column: number): number {
    const start = this.starts[column];
    const end = this.starts[column + 1] - 1;
    if (end === start || end - start > MOST_DIGITS) return -1;
    let value = 0;
    for (let at = start; at < end; at++) {
      const code = this.text.charCodeAt(at);
      if (code < DIGIT_0 || code > DIGIT_9) return -1;
      value = 10 * value + code - DIGIT_0;
    }
    return value;
  }
}
