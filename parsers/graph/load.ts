import { GraphParser } from './graph-parser.ts';

/** Opens a graph parser: all that parsing with it needs, and nothing that only training does. */
export const load = GraphParser.load;
