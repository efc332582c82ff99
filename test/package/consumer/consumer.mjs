// The package in a plain JavaScript module: the parser that consumer.ts saved parses a sentence.
import { loadParser, openTreebank, sentenceOf, UsageError } from 'parliament';

const parser = await loadParser('graph.model');
for await (const sentence of await openTreebank('parsed.conllu')) {
  const { heads } = parser.parse(sentence);
  if (heads.join() !== sentence.heads.join()) throw new Error(`other heads than parseFile's: ${heads}`);
}

if (parser.parse(sentenceOf('Dogs bark')).heads.length !== 3) throw new Error('not a head for each token');
try {
  parser.parse({ length: 2, forms: ['', 'Dogs', 'bark'] });
  throw new Error('a sentence without tags was parsed');
} catch (error) {
  if (!(error instanceof UsageError && error.message.includes('no column upos'))) throw error;
}
