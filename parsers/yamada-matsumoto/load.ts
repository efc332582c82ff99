import { YamadaMatsumotoParser } from './parser.ts';

/** Opens a parser of Yamada & Matsumoto: all that parsing with it needs, and nothing that only training does. */
export const load = YamadaMatsumotoParser.load;
