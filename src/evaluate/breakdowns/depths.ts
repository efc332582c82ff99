/**
 * The number of arcs between each token and the artificial root: 1 for a root, −1 for a token that never gets
 * there, because it is on a cycle or below one. `heads` as in `Sentence`, every head in 0…n; O(n), iterative.
 */
export function depths(heads: Int32Array, n: number): Int32Array {
  const unknown = -2;
  const climbing = -1; // what a token on the current path is; stays so if the path closes into a cycle
  const depth = new Int32Array(n + 1).fill(unknown);
  depth[0] = 0;
  const path = new Int32Array(n);
  for (let d = 1; d <= n; d++) {
    let length = 0;
    let top = d;
    while (depth[top] === unknown) {
      depth[top] = climbing;
      path[length++] = top;
      top = heads[top]!;
    }
    let last = depth[top]!;
    if (last === climbing) continue;
    while (length > 0) depth[path[--length]!] = ++last;
  }
  return depth;
}
