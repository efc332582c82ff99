/** Strings without line breaks as a section of a model. */
export function joinStrings(strings: readonly string[]): Uint8Array {
  return new TextEncoder().encode(strings.map((string) => `${string}\n`).join(''));
}

/** The strings of a section that `joinStrings` made. */
export function splitStrings(bytes: Uint8Array): string[] {
  return Buffer.from(bytes).toString().split('\n').slice(0, -1);
}
