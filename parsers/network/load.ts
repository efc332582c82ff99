import { NetworkParser } from './network-parser.ts';

/** Opens a network: all that parsing with it needs, and nothing that only training does. */
export const load = NetworkParser.load;
