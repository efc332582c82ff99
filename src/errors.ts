/** The file of texts without a file, as in a page: messages name only their lines. */
export const NO_FILE = '';

/** A position in an input, as far as it is known. */
export type Place = { readonly file?: string | undefined; readonly line?: number | undefined };

/** Unusable input. The message is `file:line: what is wrong, what was expected`. */
export class InputError extends Error {
  override readonly name = 'InputError';

  constructor(
    readonly problem: string,
    readonly place: Place = {},
  ) {
    super(placeText(place) + problem);
  }
}

/** Formats a place as the beginning of a message: `file:line: `, as far as it is known. */
export function placeText({ file, line }: Place): string {
  if (file === undefined || file === NO_FILE) return line === undefined ? '' : `line ${line}: `;
  return line === undefined ? `${file}: ` : `${file}:${line}: `;
}

/** Joins the lines of a message by blanks; takes linear time, also for long white space. */
export const inOneLine = (message: string): string =>
  message
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

/** An impossible request: an option out of range, or one that contradicts another or the model. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Formats an option for a message: `miraTrees 5` in the library, `--mira-trees 5` on the command line. */
export type OptionStyle = (name: string, value?: unknown) => string;
const inLibrary: OptionStyle = (name, value) => [name, valueText(value) ?? []].flat().join(' ');

/** The value of an option in a message: the path of a file; undefined for lists of templates and other objects. */
export function valueText(value: unknown): string | undefined {
  const { path } = Object(value) as { readonly path?: string };
  if (path !== undefined) return path;
  const isText = value !== undefined && [value].flat().every((one) => typeof one !== 'object');
  return isText ? String(value) : undefined;
}

/** Options that contradict each other or the data. */
export class OptionError extends UsageError {
  /** `say` builds the message with the given formatter of options. */
  constructor(readonly say: (option: OptionStyle) => string) {
    super(say(inLibrary));
  }
}
