import { TransitionParser } from './transition-parser.ts';

/** Opens a transition-based parser: all that parsing with it needs, and nothing that only training does. */
export const load = TransitionParser.load;
