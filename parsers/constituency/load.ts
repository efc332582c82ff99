import { PcfgParser } from './pcfg-parser.ts';

/** Opens a constituency parser: all that parsing with it needs, and nothing that only training does. */
export const load = PcfgParser.load;
