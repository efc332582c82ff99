import type { Sentence, Treebank } from '../src/treebank/sentence.ts';
import { progress } from './progress.ts';

/** The same treebank; shows how far each pass over it is (where progress is shown at all). */
export function watch(treebank: Treebank, title: string, quiet: boolean | undefined): Treebank {
  return {
    name: treebank.name,
    async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
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
