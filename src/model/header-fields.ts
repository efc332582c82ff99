import { InputError } from '../errors.ts';

/**
 * The fields of a JSON object in a model's header, each checked when read; every method throws an `InputError`
 * that names field and value. (A schema library would take longer to load than the model.)
 */
export class HeaderFields {
  private constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    private readonly file: string,
    /** The path of the object in the header, with a final dot; empty for the header itself. */
    private readonly prefix: string,
  ) {}

  /** The fields of a value that must be an object; `file` and `path` are for messages. */
  static of(value: unknown, file: string, path = ''): HeaderFields {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new InputError(`header field ${path}: expected an object, not ${shown(value)}`, { file });
    return new HeaderFields(value as Record<string, unknown>, file, path === '' ? '' : `${path}.`);
  }

  get names(): string[] {
    return Object.keys(this.values);
  }

  text(name: string): string {
    const value = this.values[name];
    return typeof value === 'string' ? value : this.refuse(name, 'a string');
  }

  flag(name: string): boolean {
    const value = this.values[name];
    return typeof value === 'boolean' ? value : this.refuse(name, 'true or false');
  }

  integer(name: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
    const value = this.values[name];
    const isValid = Number.isSafeInteger(value) && isWithin(value, least, most);
    return isValid ? (value as number) : this.refuse(name, `a whole number${rangeText(least, most)}`);
  }

  number(name: string, least: number, most: number): number {
    const value = this.values[name];
    return isWithin(value, least, most) ? value : this.refuse(name, `a number${rangeText(least, most)}`);
  }

  choice<T extends string | number>(name: string, choices: readonly T[]): T {
    const value = this.values[name] as T;
    return choices.includes(value) ? value : this.refuse(name, `one of ${choices.join(', ')}`);
  }

  choices<T extends string>(name: string, choices: readonly T[]): T[] {
    return this.listOf(name, (value) => choices.includes(value as T), choices.join(', '));
  }

  texts(name: string): string[] {
    return this.listOf(name, (value) => typeof value === 'string', 'strings');
  }

  integers(name: string, least: number): number[] {
    const isOne = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= least;
    return this.listOf<number>(name, isOne, `whole numbers${rangeText(least)}`);
  }

  numbers(name: string, least: number, most: number): number[] {
    const isOne = (value: unknown) => Number.isFinite(value) && isWithin(value, least, most);
    return this.listOf<number>(name, isOne, `numbers${rangeText(least, most)}`);
  }

  private listOf<T>(name: string, isOne: (value: unknown) => boolean, expected: string): T[] {
    const values = this.list(name);
    return values.every(isOne) ? (values as T[]) : this.refuse(name, `a list of ${expected}`);
  }

  list(name: string): readonly unknown[] {
    const value = this.values[name];
    return Array.isArray(value) ? value : this.refuse(name, 'a list');
  }

  fields(name: string): HeaderFields {
    return HeaderFields.of(this.values[name], this.file, this.prefix + name);
  }

  objects(name: string): HeaderFields[] {
    return this.list(name).map((value, i) => HeaderFields.of(value, this.file, `${this.prefix}${name}.${i}`));
  }

  has(name: string): boolean {
    return this.values[name] !== undefined;
  }

  refuse(name: string, expected: string): never {
    const problem = `header field ${this.prefix}${name}: expected ${expected}, not ${shown(this.values[name])}`;
    throw new InputError(problem, { file: this.file });
  }
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}

function rangeText(least: number, most = Number.MAX_SAFE_INTEGER): string {
  if (most !== Number.MAX_SAFE_INTEGER) return ` from ${least} to ${most}`;
  return least === Number.MIN_SAFE_INTEGER ? '' : ` of ${least} or more`;
}

const MOST_SHOWN = 40;

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = jsonOf(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** A value as JSON, unless it is nested too deeply. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return 'a value nested too deeply to be shown';
    throw error;
  }
}
