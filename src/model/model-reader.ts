import type { z } from 'zod';
import { InputError } from '../errors.ts';
import { packageVersion } from '../platform/package.ts';
import { describeIssue } from '../schema-issue.ts';
import { HeaderFields } from './header-fields.ts';
import type { ModelKind, SectionArray, SectionArrays, SectionType } from './layout.ts';
import { modelKinds, pathText, prefixOf } from './layout.ts';
import { count, PlacedFile, shortened } from './placed-file.ts';

export interface ExpectedNumbers {
  readonly length?: number | undefined;
  /** Whether the length must be a power of two, as hashed features index into it. */
  readonly isHashed?: boolean | undefined;
  readonly least?: number | undefined;
  readonly most?: number | undefined;
  /** What messages call the numbers, which must be finite; absent: not checked. */
  readonly finite?: string | undefined;
}

/** The kinds of content, each with the header field that only it has. */
const contents = [
  ['parser', 'paradigm'],
  ['annotator', 'annotator'],
  ['pipeline', 'pipeline'],
  ['table of word vectors', 'wordVectors'],
  ['language model', 'encoder'],
] as const;
export type ModelContent = (typeof contents)[number][0];

/** A model, or part of one: a header, and arrays that are views of one buffer shared by all threads. */
export class ModelReader {
  readonly name: string;
  readonly buffer: SharedArrayBuffer;
  readonly kind: ModelKind;
  /** The parsed header; `fields` and `field` return checked parts of it. */
  readonly header: Readonly<Record<string, unknown>>;
  private readonly prefix: string;

  private constructor(
    private readonly file: PlacedFile,
    /** The names of the enclosing parts, then its own; empty for a whole file. */
    readonly path: readonly string[],
  ) {
    this.name = file.name;
    this.buffer = file.buffer;
    this.prefix = prefixOf(path);
    this.header = path.reduce<Record<string, unknown>>(partOf, file.header);
    this.kind = this.fields().choice('kind', modelKinds);
  }

  /** Opens a model or part from bytes that were verified before: checks preamble and header, not the numbers. */
  static fromBuffer(buffer: SharedArrayBuffer, name: string, path: readonly string[] = []): ModelReader {
    return new ModelReader(new PlacedFile(buffer, name).unpacked(), path);
  }

  /** Checks the sections' checksums, and that the gaps are zeros, which opening does not. */
  verify(): this {
    this.file.verify();
    return this;
  }

  /** The kind of content, by its header field; throws `InputError` unless there is exactly one such field. */
  get content(): ModelContent {
    const header = this.fields();
    const found = contents.filter(([, field]) => header.has(field));
    if (found.length === 1) return found[0][0];
    const names = contents.map(([, field]) => field).join(', ');
    const place = this.path.length > 0 ? `header field ${pathText(this.path)}` : 'the header';
    return this.refuse(`${place}: expected one field of ${names}, not ${found.length}`);
  }

  /** Throws `InputError` if it holds something else. */
  expectContent(expected: ModelContent): void {
    const { content } = this;
    if (content === expected) return;
    const found = content === 'annotator' ? this.fields().text('annotator') : content;
    this.refuse(`a ${found}, expected ${expected === 'annotator' ? 'an' : 'a'} ${expected}`);
  }

  get partNames(): string[] {
    return this.fields().has('parts') ? this.fields('parts').names : [];
  }

  /** A part (see `ModelWriter.part`); throws `InputError` if there is none of that name. */
  part(name: string): ModelReader {
    return new ModelReader(this.file, [...this.path, name]);
  }

  has(name: string): boolean {
    return this.file.sections.has(this.prefix + name);
  }

  /** The sections that belong to no part, by name. */
  *sections(): Generator<[name: string, numbers: SectionArray]> {
    const ofParts = this.partNames.map((part) => prefixOf([...this.path, part]));
    for (const section of this.file.sections.values()) {
      const { name } = section;
      if (!name.startsWith(this.prefix) || ofParts.some((prefix) => name.startsWith(prefix))) continue;
      yield [name.slice(this.prefix.length), this.file.numbers(section)];
    }
  }

  /**
   * The numbers of a section: a read-only view of the shared buffer, or a copy if they are packed. Throws `InputError` if the
   * section is missing or not as expected: a file with correct checksums may come from anywhere, and must not make anything
   * hang or fail later.
   */
  section<T extends SectionType>(name: string, type: T, expected: ExpectedNumbers = {}): SectionArrays[T] {
    const shown = shortened(this.prefix + name);
    const section = this.file.sections.get(this.prefix + name);
    if (section === undefined) return this.refuse(`no section ${shown}`);
    if (section.type !== type) this.refuse(`section ${shown} holds ${section.type}, expected ${type}`);
    if (expected.length !== undefined && section.length !== expected.length) {
      this.refuse(
        `section ${shown} holds ${count(section.length)} numbers, expected ${count(expected.length)}`,
      );
    }
    if (expected.isHashed && !isPowerOfTwo(section.length))
      this.refuse(`section ${shown} holds ${count(section.length)} numbers, expected a power of two`);
    const numbers = this.file.numbers(section) as SectionArrays[T];
    if (expected.finite !== undefined && !numbers.every(Number.isFinite))
      this.refuse(`section ${shown} has ${expected.finite} that are not finite numbers`);
    if (expected.least !== undefined || expected.most !== undefined)
      this.checkRange(shown, numbers, expected);
    return numbers;
  }

  /** Reads the numbers of a section one by one. */
  numbersOf(name: string): NumberReader {
    return new NumberReader(this.section(name, 'int32'), (problem) =>
      this.refuse(`section ${this.prefix}${name}: ${problem}`),
    );
  }

  private checkRange(
    shown: string,
    numbers: SectionArray,
    { least = -Infinity, most = Infinity }: ExpectedNumbers,
  ): void {
    for (let i = 0; i < numbers.length; i++) {
      // Written so that NaN is out of every range.
      if (!(numbers[i] >= least && numbers[i] <= most))
        this.refuse(`section ${shown}: expected numbers from ${least} to ${most}, not ${numbers[i]}`);
    }
  }

  /** The fields of the header, or of an object in it; throws `InputError` if there is no such object. */
  fields(name?: string): HeaderFields {
    const header = HeaderFields.of(this.header, this.name, pathText(this.path));
    return name === undefined ? header : header.fields(name);
  }

  /** The header's field `name`, checked by a schema; throws `InputError` if it is missing or of another shape. */
  field<T>(name: string, schema: z.ZodType<T>): T {
    const parsed = schema.safeParse(this.header[name]);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const field = [pathText(this.path), name, ...issue.path].filter((part) => part !== '').join('.');
    return this.refuse(`header field ${field}: ${describeIssue({ ...issue, path: [] })}`);
  }

  refuse(problem: string): never {
    throw new InputError(problem, { file: this.name });
  }
}

/** The header of a part; undefined, which reading a field refuses, if there is none. */
function partOf(header: Readonly<Record<string, unknown>> | undefined, part: string) {
  const parts = Object(header?.parts) as Readonly<Record<string, Record<string, unknown>>>;
  return (Object.hasOwn(parts, part) ? parts[part] : undefined)!;
}

const isPowerOfTwo = (length: number) => length > 0 && Number.isInteger(Math.log2(length));

/** Reads integers in order, each checked against a range. */
export class NumberReader {
  private at = 0;

  /** Reads numbers that this program has made: an error in them is a bug. */
  static ofOwn(numbers: Int32Array): NumberReader {
    return new NumberReader(numbers, (problem) => {
      throw new Error(problem);
    });
  }

  /** @param refuse throws an error with a problem of the numbers */
  constructor(
    private readonly numbers: Int32Array,
    private readonly refuse: (problem: string) => never,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.numbers.length;
  }

  next(least: number, most: number): number {
    if (this.isAtEnd) this.refuse('ends too early');
    const number = this.numbers[this.at++];
    return number >= least && number <= most
      ? number
      : this.refuse(`expected ${least} to ${most}, not ${number}`);
  }

  /** Reads `count` different numbers in ascending order. */
  ascending(count: number, least: number, most: number): Int32Array {
    const numbers = new Int32Array(count);
    let from = least;
    for (let i = 0; i < count; i++) {
      numbers[i] = this.next(from, most);
      from = numbers[i] + 1;
    }
    return numbers;
  }
}

/** Throws `InputError` for models of a newer minor version, whose settings this one might ignore. */
export function checkVersion(model: ModelReader): void {
  const header = model.fields();
  if (!header.has('version')) return;
  const text = header.text('version');
  const written = numbersOf(text) ?? header.refuse('version', 'a version such as 1.2.3');
  const own = packageVersion();
  const [major, minor] = numbersOf(own)!;
  if (written[0] < major || (written[0] === major && written[1] <= minor)) return;
  model.refuse(
    `written by version ${written.join('.')} of Parliament, but this is ${own}: update Parliament`,
  );
}

function numbersOf(version: string): number[] | undefined {
  return /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})\b/.exec(version)?.slice(1).map(Number);
}
