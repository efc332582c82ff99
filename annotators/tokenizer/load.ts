import { LinearTokenizer } from './tokenizer.ts';

/** Opens a tokenizer: all that cutting text with it needs, and nothing that only training does. */
export const load = LinearTokenizer.load;
