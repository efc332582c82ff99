/** Returns a longer copy of an array, with zeros at its end. */
export function lengthened<A extends Uint8Array | Int8Array | Int32Array | Float32Array | Float64Array>(
  numbers: A,
  length: number,
): A {
  const longer = new (numbers.constructor as new (length: number) => A)(length);
  longer.set(numbers);
  return longer;
}

/** Returns a copy of an array that is twice as long, with zeros at its end. */
export const doubled = <A extends Int32Array | Float64Array>(numbers: A): A =>
  lengthened(numbers, 2 * numbers.length);
