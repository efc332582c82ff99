import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for the files of one test file, which is removed after its tests. */
export class Sandbox {
  readonly folder: string;

  constructor(name: string) {
    this.folder = mkdtempSync(join(tmpdir(), `parliament-${name}-`));
    afterAll(() => rmSync(this.folder, { recursive: true }));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes a file; returns its path. */
  save(name: string, content: string | Uint8Array): string {
    writeFileSync(this.path(name), content);
    return this.path(name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** The names of all files, including hidden ones. */
  list(): string[] {
    return readdirSync(this.folder).sort();
  }
}
