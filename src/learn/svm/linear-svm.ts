import { PlainReader } from './example-reader.ts';
import type { Examples } from './examples.ts';
import type { LinearSvm } from './linear-model.ts';
import { columnsOf } from './multiclass.ts';
import type { SvmOptions } from './options.ts';
import { checkRange, trainSvm } from './train.ts';

/**
 * Trains over features numbered from 0 to size − 1. The same examples, options and seed give the same weights.
 *
 * Throws `UsageError` for options out of range and for targets or features beyond `classes` and `size`; what
 * `signal` gives as its reason where that stops it.
 */
export async function trainLinearSvm(
  examples: Examples,
  options: SvmOptions & { readonly size: number },
): Promise<LinearSvm> {
  const { size, bias } = options;
  const features = examples.features.subarray(0, examples.offsets[examples.count]);
  checkRange(features, size, 'features');
  return await trainSvm(new PlainReader(examples, size, columnsOf(options), bias), size, options);
}
