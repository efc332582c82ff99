import { InputError } from '../../errors.ts';
import { AtomicFile } from '../../files/atomic-file.ts';
import { TextFile } from '../../files/text-file.ts';
import { type Examples, SparseExamples } from './examples.ts';

/** Reads the lines of a text file, without their ends (`\n` or `\r\n`). */
export async function* textLines(file: TextFile): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of file.chunks()) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield withoutReturn(line);
  }
  if (rest !== '') yield withoutReturn(rest);
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/**
 * A classification problem. In the format of LIBLINEAR, LIBSVM and SVMlight it has a line per example, `label index:value …`,
 * with integer labels and ascending indices from 1 on. Feature f has the index f + 1.
 */
export interface Problem {
  readonly examples: Examples;
  /** Label of every class, in the order of first appearance. */
  readonly labels: readonly number[];
  readonly size: number;
}

const FEATURE = /^([1-9]\d{0,9}):(\S+)$/;

/** Reads a problem; throws `InputError`, with the line, for a malformed file. */
export async function readProblem(path: string): Promise<Problem> {
  const parser = new ProblemParser(path);
  for await (const line of textLines(new TextFile(path))) parser.add(line);
  const { examples, classes, size } = parser;
  return { examples, labels: [...classes.keys()], size };
}

class ProblemParser {
  readonly examples = new SparseExamples();
  readonly classes = new Map<number, number>();
  size = 0;
  private line = 0;
  private features = new Int32Array(1024);
  private values = new Float32Array(1024);

  constructor(private readonly file: string) {}

  add(text: string): void {
    this.line++;
    const [label, ...features] = text.trim().split(/\s+/);
    const target = this.classOf(label);
    this.reserve(features.length);
    for (const [k, feature] of features.entries()) this.read(feature, k);
    const count = features.length;
    if (count > 0) this.size = Math.max(this.size, this.features[count - 1] + 1);
    const { examples } = this;
    const areOnes =
      examples.values === undefined && this.values.subarray(0, count).every((value) => value === 1);
    if (areOnes) examples.add(this.features, count, target);
    else examples.addWithValues(this.features, this.values, count, target);
  }

  private classOf(label: string): number {
    const number = label === '' ? Number.NaN : Number(label);
    if (!Number.isInteger(number)) throw this.error(`label '${label}', expected a whole number`);
    const known = this.classes.get(number);
    if (known !== undefined) return known;
    this.classes.set(number, this.classes.size);
    return this.classes.size - 1;
  }

  private read(text: string, k: number): void {
    const [, index, value] = FEATURE.exec(text) ?? [];
    const feature = Number(index) - 1;
    this.values[k] = Number(value);
    if (!(feature < 2 ** 31 - 1 && Number.isFinite(this.values[k])))
      throw this.error(`feature '${text}', expected index:value with an index from 1 on`);
    if (k > 0 && feature <= this.features[k - 1]) {
      throw this.error(
        `feature '${text}' after index ${this.features[k - 1] + 1}, expected ascending indices`,
      );
    }
    this.features[k] = feature;
  }

  private error(problem: string): InputError {
    return new InputError(problem, { file: this.file, line: this.line });
  }

  private reserve(count: number): void {
    if (count <= this.features.length) return;
    this.features = new Int32Array(2 * count);
    this.values = new Float32Array(2 * count);
  }
}

/** Writes examples; values of a feature that occurs twice in an example are added. */
export async function writeProblem(path: string, examples: Examples, labels: readonly number[]) {
  await AtomicFile.writeWhole(path, async (file) => {
    for (let i = 0; i < examples.count; i++) await file.write(exampleLine(examples, i, labels));
  });
}

function exampleLine({ offsets, features, values, targets }: Examples, i: number, labels: readonly number[]) {
  const sums = new Map<number, number>();
  for (let k = offsets[i]; k < offsets[i + 1]; k++)
    sums.set(features[k], (sums.get(features[k]) ?? 0) + (values?.[k] ?? 1));
  let line = String(labels[targets[i]]);
  for (const feature of [...sums.keys()].sort((a, b) => a - b))
    line += ` ${feature + 1}:${sums.get(feature)}`;
  return `${line}\n`;
}
