import { InputError } from '../../src/errors.ts';
import { isRegularFile } from '../../src/files/file-stats.ts';
import { checkOutputs } from './output-paths.ts';

/**
 * Refuses, before hours of training, a path to which the model, or what goes beside it, could not be written, or
 * where it would replace what is read for it.
 */
export function checkModelPath(model: string, beside: readonly string[], inputs: readonly string[]): void {
  if (isRegularFile(model) === false)
    throw new InputError('not a regular file, so no place for a model', { file: model });
  const others = beside.map((path) => ({ name: 'beside --model,', path }));
  checkOutputs([{ name: '--model', path: model }, ...others], inputs);
}
