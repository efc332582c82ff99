import { moduleFile } from '../src/program.ts';

/** What annotates by name loads what it is asked for, and no more (see `programFrom`). */
export const annotatorChooser = moduleFile('annotators/registry');

/** The module that the code of a task begins with. */
export function taskModule(task: string): string {
  return moduleFile(`annotators/${task}/task`);
}
