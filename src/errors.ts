/** Where in a file something is wrong; lines count from 1. */
export interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/**
 * Input that cannot be used: a malformed treebank, a damaged model, a missing file.
 * Its message is the one line a user sees: `file:line: what is wrong, what was expected`.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly place: Place;
  /** The message without its place. */
  readonly problem: string;

  constructor(problem: string, place: Place = {}) {
    super(placeText(place) + problem);
    this.problem = problem;
    this.place = place;
  }
}

/** `file:line: `, or as much of it as is known. */
function placeText({ file, line }: Place): string {
  if (file === undefined) return line === undefined ? '' : `line ${line}: `;
  return line === undefined ? `${file}: ` : `${file}:${line}: `;
}

/** A request that makes no sense: an option out of range, or one that contradicts another or the model. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
