import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll } from 'vitest';

/** Replaces a function of a Node module for every importer, until the tests of the file end. */
export function replaceBuiltin<Module, Name extends keyof Module>(
  module: Module,
  name: Name,
  replacement: Module[Name],
): void {
  const original = module[name];
  const set = (value: Module[Name]) => {
    module[name] = value;
    syncBuiltinESMExports();
  };
  beforeAll(() => set(replacement));
  afterAll(() => set(original));
}
