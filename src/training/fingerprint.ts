import { createHash } from 'node:crypto';
import type { Treebank } from '../treebank/sentence.ts';

/**
 * Names a training run: its data, and all else that it depends on, as data for JSON. Two runs of one name go
 * through the same states.
 */
export function fingerprint({ digest }: Treebank, ...rest: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([digest, ...rest]))
    .digest('hex');
}
