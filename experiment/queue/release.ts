import { createHash } from 'node:crypto';
import { paradigmNames } from '../../parsers/registry.ts';
import { packageVersion } from '../../src/files/package-version.ts';
import { programOf } from '../jobs/program.ts';

/** Changes where coordinators and workers of before would not understand each other. */
const PROTOCOL = 1;

/** Who understands each other's jobs. */
export interface Release {
  readonly version: string;
  /** Digest of the programs of all kinds of jobs. */
  readonly code: string;
}

/** What runs here. Jobs are put where only workers of the same release look: others would give other figures. */
export function thisRelease(): Release {
  const parsers = paradigmNames().map((paradigm) => programOf({ kind: 'parser', paradigm }));
  const others = (['tagging', 'vote', 'file'] as const).map((kind) => programOf({ kind }));
  const text = JSON.stringify([
    PROTOCOL,
    ...[...parsers, ...others].map(({ version, code }) => [version, code]),
  ]);
  const code = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { version: packageVersion(), code };
}

/** `0.1.0 (1a2b3c4d)`. */
export function releaseText({ version, code }: Release): string {
  return `${version} (${code.slice(0, 8)})`;
}
