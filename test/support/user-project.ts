import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageFolder } from '../../src/platform/package.ts';
import { Sandbox } from './sandbox.ts';

const installed = ['zod', '@types/node'];
const compiler = join(packageFolder, 'node_modules', 'typescript', 'bin', 'tsc');

const settings = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'ES2023',
    module: 'nodenext',
    types: ['node'],
    skipLibCheck: true,
    declaration: true,
  },
};

/** A user's project outside the checkout, in which the package is installed as built by `npm run build`. */
export class UserProject {
  readonly folder: string;
  private readonly sandbox: Sandbox;

  /** `modules` are the project's own packages, in folders of these names, which its code can import. */
  constructor(name: string, modules: readonly string[] = []) {
    this.sandbox = new Sandbox(name);
    this.folder = this.sandbox.folder;
    this.write('package.json', JSON.stringify({ private: true, type: 'module' }));
    this.write('tsconfig.json', JSON.stringify(settings));
    this.install('parliament', packageFolder);
    for (const module of installed) this.install(module, join(packageFolder, 'node_modules', module));
    for (const module of modules) this.install(module, this.path(module));
  }

  path(name: string): string {
    return this.sandbox.path(name);
  }

  read(name: string): string {
    return this.sandbox.read(name);
  }

  write(name: string, content: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  /** Compiles all TypeScript of the project to JavaScript files beside it. */
  compile(): SpawnSyncReturns<string> {
    return this.node([compiler]);
  }

  /** Runs node in a folder of the project. */
  node(args: readonly string[], folder = '.'): SpawnSyncReturns<string> {
    const env = { ...process.env, PARLIAMENT_HOME: this.path('.home') };
    return spawnSync(process.execPath, args, { cwd: this.path(folder), env, encoding: 'utf8' });
  }

  private install(module: string, folder: string): void {
    const link = this.path(join('node_modules', module));
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(folder, link, 'dir');
  }
}
