import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';

/** Of one training: which, and how good it was on the sentences held out. */
export interface FoldResult {
  /** Names the training: options, treebank, how it was cut, fold, seed. */
  readonly key: string;
  readonly tokens: number;
  /** Scores after the last epoch, or after every one. */
  readonly scores: readonly { readonly uas: number; readonly las: number }[];
  readonly cpuSeconds: number;
}

/** What was measured, by key; in a file, a line of JSON each, where it is to be gone on with. */
export class Results {
  private readonly results = new Map<string, FoldResult>();

  constructor(private readonly file: string | undefined) {
    if (file === undefined || !existsSync(file)) return;
    const text = readFileSync(file, 'utf8');
    // What comes after the last end of a line was cut off with the program.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    truncateSync(file, Buffer.byteLength(whole));
    for (const line of whole.split('\n').slice(0, -1)) {
      const result: FoldResult = JSON.parse(line);
      this.results.set(result.key, result);
    }
  }

  /** The result of this key: the one there is, or else the one that `measure` finds. */
  async get(key: string, measure: () => Promise<Omit<FoldResult, 'key'>>): Promise<FoldResult> {
    const known = this.results.get(key);
    if (known !== undefined) return known;
    const result = { key, ...(await measure()) };
    this.results.set(key, result);
    if (this.file !== undefined) appendFileSync(this.file, `${JSON.stringify(result)}\n`);
    return result;
  }
}
