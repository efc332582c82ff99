import { type Entry, standard } from './schema.ts';

/** Where in the file an option comes from. */
export interface Origin {
  readonly name: string;
  readonly value: string;
}

/** One place of the file that says something of a cell. */
export interface Layer {
  readonly path: string;
  readonly entry: Entry;
  /** Where its option's name and value stand, if not under `path.options`: in a sweep. */
  readonly option?: Origin;
}

/** The standard, overridden by the layers in turn. */
export function merged(layers: readonly Layer[]): Entry & typeof standard {
  return Object.assign({ ...standard }, ...layers.map(({ entry }) => entry)) as Entry & typeof standard;
}
