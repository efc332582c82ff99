import { InputError } from '../../errors.ts';
import type { ReadingOptions } from '../reading/format.ts';
import type { Sentence } from '../sentence.ts';
import { findCycle, roots } from '../tree.ts';

/** Maximum number of tokens that a message lists: a cycle may have thousands. */
const NAMED = 10;

/**
 * Checks the heads of a sentence, where −1 is a missing head; throws `InputError` with the line of the first bad token.
 * @param lines the line number of each token
 */
export function checkHeads(
  heads: Int32Array,
  lines: Int32Array,
  file: string,
  options: Pick<ReadingOptions, 'expect' | 'singleRoot'>,
): void {
  const n = heads.length - 1;
  const isTree = options.expect === 'trees' || options.expect === 'partial-trees';
  const fail = (problem: string, token: number) => new InputError(problem, { file, line: lines[token] });
  for (let d = 1; d <= n; d++) {
    if (heads[d] > n) throw fail(`head ${heads[d]} is out of range, expected 0 to ${n}`, d);
    if (heads[d] === d && isTree) throw fail(`token ${d} is its own head, expected another token or 0`, d);
  }
  if (!isTree) return;
  const found = roots(heads);
  if (found.length === 0 && !heads.includes(-1, 1))
    throw fail('no root: no token has head 0, expected at least one', 1);
  if (found.length > 1 && options.singleRoot)
    throw fail(`${found.length} roots (tokens ${listed(found, ', ')}), expected one`, found[1]);
  const cycle = findCycle(heads);
  if (cycle.length > 0) {
    const closed = cycle.length > NAMED ? cycle : [...cycle, cycle[0]];
    throw fail(`cycle: ${listed(closed, ' → ')}, expected a tree`, cycle[0]);
  }
}

/** Throws `InputError` unless a sentence, whose reader may not have checked it, has a complete tree. */
export function checkTree({ heads, source }: Sentence, name: string): void {
  const lines = source?.lines ?? new Int32Array(0);
  const missing = heads.indexOf(-1, 1);
  if (missing > 0) {
    const problem = `token ${missing} has no head, expected 0 (the root) or a token id`;
    throw new InputError(problem, { file: name, line: lines[missing] });
  }
  checkHeads(heads, lines, name, { expect: 'trees' });
}

function listed(tokens: readonly number[], separator: string): string {
  if (tokens.length <= NAMED + 1) return tokens.join(separator);
  return [...tokens.slice(0, NAMED), `… (${tokens.length} in all)`].join(separator);
}
