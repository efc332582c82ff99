/** Vectors of words. */
export interface WordVectors {
  readonly dimensions: number;
  /** Writes the vector of a form from `at` on; returns false, and writes nothing, for a form without one. */
  fill(form: string, out: Float32Array, at: number): boolean;
}
