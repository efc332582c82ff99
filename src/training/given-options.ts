import type { z } from 'zod';
import { UsageError } from '../errors.ts';

/**
 * The options of something that can be learnt, with their defaults.
 *
 * @throws UsageError for the first that is refused
 */
export function checkedOptions<Options>(
  { name, options }: { readonly name: string; readonly options: z.ZodType<Options> },
  given: object,
): Options {
  const { success, data, error } = options.safeParse(given);
  if (success) return data;
  const [issue] = error.issues;
  if (issue.code === 'unrecognized_keys') {
    throw new UsageError(`${name} has no option ${issue.keys.join(', ')}`);
  }
  const { path, message } = issue;
  throw new UsageError(path.length === 0 ? message : `${path.join('.')}: ${message}`);
}
