import { BigramParser } from './bigram-parser.ts';

/** Opens a bigram parser: all that parsing with it needs, and nothing that only training does. */
export const load = BigramParser.load;
