import { InputError } from '../../../src/errors.ts';

/** Data in the store that are damaged, or others than they should be: they may be had once more. */
export class UnusableData extends InputError {}
