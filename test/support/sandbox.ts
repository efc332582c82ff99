import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for a test file's own files, removed when its tests are done. */
export class Sandbox {
  readonly folder: string;

  constructor(name: string) {
    this.folder = mkdtempSync(join(tmpdir(), `parliament-${name}-`));
    afterAll(() => rmSync(this.folder, { recursive: true }));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes a file; gives its path. */
  save(name: string, content: string | Uint8Array): string {
    writeFileSync(this.path(name), content);
    return this.path(name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** The names of all files, hidden ones too. */
  list(): string[] {
    return readdirSync(this.folder).sort();
  }
}
