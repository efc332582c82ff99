/** Parts of a list in JSON, with commas between those that have something in them. */
export async function* separated(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let comma = '';
  for await (const part of parts) {
    if (part === '') continue;
    yield comma + part;
    comma = ',';
  }
}
