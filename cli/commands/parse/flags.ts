import type { InputKind } from '../../../combine/pipeline/run/input-kinds.ts';
import type { KeepName } from '../../../combine/pipeline/sentence-annotation.ts';
import type { TreebankFormat } from '../../../src/treebank/reading/format.ts';

/** The options of `parse`, whichever model it is for. */
export interface ParseFlags {
  readonly model: string;
  readonly output: string;
  readonly jobs: number;
  readonly input?: InputKind;
  readonly keep?: readonly KeepName[];
  readonly format?: TreebankFormat;
  readonly to?: TreebankFormat;
  readonly encoding: string;
  readonly confidence?: boolean;
  readonly skipInvalid?: boolean;
  readonly allowMissing?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}
