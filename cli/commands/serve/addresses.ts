import { InvalidArgumentError } from 'commander';
import { UsageError } from '../../../src/errors.ts';

/** An address to listen at: an empty one, of a variable that is not set, say, would be any of this machine's. */
export function host(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('Expected an address.');
}

/** Refuses what no browser sends as the origin of a page. */
export function checkOrigins(origins: readonly string[]): void {
  const wrong = origins.find((origin) => origin !== '*' && !isOrigin(origin));
  if (wrong === undefined) return;
  throw new UsageError(`--cors ${wrong}: expected an origin as in https://example.org, without a path, or *`);
}

function isOrigin(text: string): boolean {
  try {
    return new URL(text).origin === text;
  } catch {
    return false;
  }
}
