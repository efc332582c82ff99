/** A training in progress: passes over examples, each visited in pieces so that others can have a turn. */
export interface Solver {
  readonly weights: Float32Array;
  /** Examples that the current pass still visits. */
  readonly active: number;
  beginPass(): void;
  /** Visits examples from a position on, about `atMost` of them; gives the next position, or −1 at the end. */
  visit(position: number, atMost: number): number;
  /** The largest violation of optimality in the pass; `isDone` says what follows from it. */
  endPass(): number;
  readonly isDone: boolean;
  /** The dual objective, to be minimised. */
  objective(): number;
}

/** What both solvers need to know. */
export interface SolverOptions {
  readonly cost: number;
  readonly epsilon: number;
  readonly shrinking: boolean;
  readonly seed: number;
}
