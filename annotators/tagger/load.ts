import { Tagger } from './tagger.ts';

/** Opens a tagger: all that tagging with it needs, and nothing that only training does. */
export const load = Tagger.load;
