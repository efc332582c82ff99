// AssemblyScript, as matrices.ts: what is done to rows number by number.

/** Adds one row of numbers to each of `rows` rows. */
export function addToRows(x: usize, row: usize, rows: i32, length: i32): void {
  const width = (length as usize) << 2;
  for (let r: usize = 0; r < (rows as usize); r++) {
    for (let i: usize = 0; i < width; i += 16) {
      const at = x + r * width + i;
      v128.store(at, f32x4.add(v128.load(at), v128.load(row + i)));
    }
  }
}

/** Adds the sum of `rows` rows to one. */
export function sumOfRows(sum: usize, x: usize, rows: i32, length: i32): void {
  const width = (length as usize) << 2;
  for (let i: usize = 0; i < width; i += 16) {
    let total = v128.load(sum + i);
    for (let r: usize = 0; r < (rows as usize); r++) total = f32x4.add(total, v128.load(x + r * width + i));
    v128.store(sum + i, total);
  }
}

/** Multiplies each of `rows` rows by one, number by number. */
export function multiplyRows(x: usize, row: usize, rows: i32, length: i32): void {
  const width = (length as usize) << 2;
  for (let r: usize = 0; r < (rows as usize); r++) {
    for (let i: usize = 0; i < width; i += 16) {
      const at = x + r * width + i;
      v128.store(at, f32x4.mul(v128.load(at), v128.load(row + i)));
    }
  }
}

/** Numbers below zero become a tenth of themselves. */
export function rectify(x: usize, count: i32): void {
  const end = x + ((count as usize) << 2);
  for (let at = x; at < end; at += 16) v128.store(at, steepness(v128.load(at), v128.load(at)));
}

/** The slopes of what was rectified to x, in place. */
export function rectifyBack(slopes: usize, x: usize, count: i32): void {
  const bytes = (count as usize) << 2;
  for (let i: usize = 0; i < bytes; i += 16) {
    v128.store(slopes + i, steepness(v128.load(slopes + i), v128.load(x + i)));
  }
}

/** Numbers, or a tenth of them where others are below zero. */
function steepness(values: v128, others: v128): v128 {
  const tenth = f32x4.mul(values, f32x4.splat(0.1));
  return v128.bitselect(tenth, values, f32x4.lt(others, f32x4.splat(0)));
}
