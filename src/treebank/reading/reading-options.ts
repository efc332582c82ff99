import type { InputError } from '../../errors.ts';
import type { TraceTreatment } from '../phrases/phrase-traces.ts';
import type { TreebankFormat } from './format.ts';

/**
 * What the reader expects of a file's heads:
 * - `trees` (training, gold): every token has a head and there is no cycle; several roots are allowed unless
 *   `singleRoot`;
 * - `partial-trees` (conversion): HEAD may be `_`, but the heads that are there must fit into a tree: no cycle, and
 *   a root where no head is missing;
 * - `heads` (a system's output to be scored): every token has a head in range; cycles and roots are the
 *   scorer's to report;
 * - `tokens` (input of a parser): HEAD may be `_`; heads that are there must be in range.
 */
export type Expectation = 'trees' | 'partial-trees' | 'heads' | 'tokens';

/** How a treebank's text is read; `onSkip` apart it is plain data that can be sent to a worker. */
export interface ReadingOptions {
  readonly format: TreebankFormat;
  readonly expect: Expectation;
  /** With `expect: 'trees'`: exactly one token hangs on the artificial root. */
  readonly singleRoot?: boolean | undefined;
  /** For bracketed trees: what becomes of moved phrases when dependencies are made of them. */
  readonly traces?: TraceTreatment | undefined;
  /**
   * Leaves invalid sentences out instead of throwing. They are missing from whatever is written from the
   * reading, too.
   */
  readonly skipInvalid?: boolean | undefined;
  /** Told of every sentence left out, with the place of what is wrong. */
  readonly onSkip?: ((error: InputError) => void) | undefined;
}
