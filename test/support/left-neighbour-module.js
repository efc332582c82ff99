export const { leftNeighbour: paradigm } = globalThis;
