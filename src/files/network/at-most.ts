/** Passes bytes on; throws as soon as they are more than `most`: who sends them may never end. */
export async function* atMost(most: number, data: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of data) {
    bytes += chunk.length;
    if (bytes > most) throw new Error(`more than the ${most} bytes expected`);
    yield chunk;
  }
}
