import { jsonDigest } from '../digest.ts';
import { basename } from '../platform/files.ts';
import type { Treebank } from '../treebank/sentence.ts';
import type { EpochScores, NamedScores, Silver, TrainingEnd } from './training-run.ts';

/** A treebank as recorded in a model's header: without its folder, so that the same training gives the same bytes anywhere. */
export interface TreebankRecord {
  readonly file: string;
  /** SHA-256 of its bytes, or of the text of its first `limit` sentences. */
  readonly digest?: string | undefined;
  /** Number of sentences read, if limited. */
  readonly limit?: number | undefined;
}

/** Silver trees, their weight, and the number of final epochs without them. */
export interface SilverRecord extends Omit<Silver, 'treebank'> {
  readonly treebank: TreebankRecord | readonly TreebankRecord[];
}

/** The provenance of a model in its header; not needed to use the model. */
export interface AboutModel<S extends NamedScores = EpochScores> {
  readonly options?: unknown;
  readonly seed?: number | undefined;
  /** Several, in order, where several files were joined. */
  readonly train?: TreebankRecord | readonly TreebankRecord[] | undefined;
  readonly dev?: TreebankRecord | readonly TreebankRecord[] | undefined;
  readonly silver?: SilverRecord | undefined;
  /** The model that was trained further, and the treebank of which a share was replayed. */
  readonly from?: TreebankRecord | undefined;
  readonly replay?: { readonly treebank: SilverRecord['treebank']; readonly share: number } | undefined;
  readonly scores?: S | undefined;
  /** With early stopping: why training ended, and after how many epochs. */
  readonly end?: TrainingEnd | undefined;
}

/** Describes a treebank file by file; reads it if its digest is not known yet. */
export async function recordOf(treebank: Treebank): Promise<TreebankRecord | TreebankRecord[]> {
  // The digest is known after one pass, which a resumed training may not have made.
  if (treebank.digest === undefined) for await (const _ of treebank);
  const record = ({ name, digest, limit }: Treebank) => ({ file: basename(name), digest, limit });
  return treebank.parts?.map(record) ?? record(treebank);
}

/** Identifies a training by its data and everything else it depends on; checkpoints of equal fingerprints are compatible. */
export function fingerprint({ digest }: Treebank, ...rest: readonly unknown[]): string {
  return jsonDigest([digest, ...rest]);
}
