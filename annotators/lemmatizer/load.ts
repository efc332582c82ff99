import { EditTreeLemmatizer } from './lemmatizer.ts';

/** Opens a lemmatizer: all that finding lemmas needs, and nothing that only training does. */
export const load = EditTreeLemmatizer.load;
