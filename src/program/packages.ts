import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * `name@version` of packages as a folder finds them, and of all that they depend on. One that is not installed has no
 * version.
 */
export function installedVersions(names: readonly string[], folder: string): string[] {
  const versions = new Set<string>();
  const wait = names.map((name) => ({ name, folder }));
  for (let next = wait.pop(); next !== undefined; next = wait.pop()) {
    const { name } = next;
    const place = placeOf(name, next.folder);
    if (place === undefined) versions.add(name);
    else {
      const { version, dependencies = {} } = manifestIn(place);
      if (versions.has(`${name}@${version}`)) continue;
      versions.add(`${name}@${version}`);
      wait.push(...Object.keys(dependencies).map((each) => ({ name: each, folder: place })));
    }
  }
  return [...versions].sort();
}

/** The nearest `node_modules/NAME` from a folder upwards. */
function placeOf(name: string, folder: string): string | undefined {
  const place = join(folder, 'node_modules', name);
  if (existsSync(join(place, 'package.json'))) return place;
  return dirname(folder) === folder ? undefined : placeOf(name, dirname(folder));
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
