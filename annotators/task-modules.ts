import { moduleFile } from '../src/program-digest.ts';

/** The module that loads tasks by name, and nothing else (see `programFrom`). */
export const annotatorChooser = moduleFile('annotators/registry');

export function taskModule(task: string): string {
  return moduleFile(`annotators/${task}/task`);
}
