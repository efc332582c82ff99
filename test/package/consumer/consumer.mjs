// The package in a plain JavaScript module: the parser that consumer.ts saved parses a sentence.
import { loadParser, openTreebank } from 'parliament';

const parser = await loadParser('graph.model');
for await (const sentence of await openTreebank('parsed.conllu')) {
  const { heads } = parser.parse(sentence);
  if (heads.join() !== sentence.heads.join()) throw new Error(`other heads than parseFile's: ${heads}`);
}
