import { fileError } from '../../../src/files/file-error.ts';
import { Replacement } from '../../../src/files/sharing/replacement.ts';

/**
 * Makes a file of pieces, as a whole or not at all.
 *
 * @throws InputError where it cannot be written: the disk is full, say
 */
export async function writeWhole(
  path: string,
  pieces: (write: (piece: Uint8Array) => void) => Promise<void>,
): Promise<void> {
  const attempt = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      throw fileError(error, path, 'cannot be written');
    }
  };
  const file = attempt(() => new Replacement(path));
  try {
    await pieces((piece) => attempt(() => file.write(piece)));
    attempt(() => file.commit());
  } finally {
    file.discard();
  }
}
