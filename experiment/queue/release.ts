import { paradigmNames } from '../../parsers/registry.ts';
import { digestOf } from '../../src/digest.ts';
import { packageVersion } from '../../src/platform/package.ts';
import { programOf } from '../jobs/program.ts';

/** Version of the messages between coordinators and workers: to be raised when these change. */
const PROTOCOL = 1;

/** A version of the program: `code` is a digest of everything that computes figures. */
export interface Release {
  readonly version: string;
  readonly code: string;
}

/** The release of this process. Workers of other releases would produce other figures. */
export function thisRelease(): Release {
  const parsers = paradigmNames().map((paradigm) => programOf({ kind: 'parser', paradigm }));
  const others = (['tagging', 'vote', 'file'] as const).map((kind) => programOf({ kind }));
  const programs = [...parsers, ...others].map(({ version, code }) => [version, code]);
  const text = JSON.stringify([PROTOCOL, ...programs]);
  const code = digestOf([text]).slice(0, 16);
  return { version: packageVersion(), code };
}

/** `0.1.0 (1a2b3c4d)`. */
export const releaseText = ({ version, code }: Release): string => `${version} (${code.slice(0, 8)})`;
