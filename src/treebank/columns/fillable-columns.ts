/** Columns that can be filled, in the order of the two formats that have all of them, and where they stand there. */
export const fillablePlaces = [
  ['lemmas', 2],
  ['upos', 3],
  ['xpos', 4],
  ['feats', 5],
] as const;

export type FillableColumn = (typeof fillablePlaces)[number][0];
