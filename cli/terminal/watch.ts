import { progress } from './progress.ts';

/** A treebank of sentences or of phrase-structure trees. */
interface NamedSentences<T> extends AsyncIterable<T> {
  readonly name: string;
}

/** The same treebank; shows how far each pass over it is (where progress is shown at all). */
export function watch<T>(
  treebank: NamedSentences<T>,
  title: string,
  quiet: boolean | undefined,
): NamedSentences<T> {
  return {
    name: treebank.name,
    async *[Symbol.asyncIterator](): AsyncGenerator<T> {
      const bar = progress('sentences', quiet);
      let done = 0;
      try {
        for await (const sentence of treebank) {
          bar.update(title, ++done);
          yield sentence;
        }
      } finally {
        bar.clear();
      }
    },
  };
}
