import { expect, test } from 'vitest';
import { NgramTable, Subwords } from '../../../src/learn/vectors/ngram-table.ts';
import { readVectors } from '../../../src/learn/vectors/read-vectors.ts';
import { loadVectors, saveVectors } from '../../../src/learn/vectors/saved-vectors.ts';
import { TableBuilder } from '../../../src/learn/vectors/vector-table.ts';
import { writeModelFile } from '../../../src/model/model-file.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('saved-vectors');
const subwords = new Subwords({ least: 3, most: 3, buckets: 1000 });
const forms = ['ház', 'házak', 'háza', 'házam', 'házat'];

/** Five words with two numbers each, and the n-grams of all of them: the bucket of `<há` has the vector (2, −1). */
function table() {
  const builder = new TableBuilder(2, forms.length);
  for (const [i, form] of forms.entries()) builder.add(Buffer.from(form), [0.4, i % 2 === 0 ? 0.4 : -0.4]);
  const buckets = Int32Array.from(
    [...new Set(forms.flatMap((form) => subwords.bucketsOf(form)))].sort((a, b) => a - b),
  );
  const rows = new Int8Array(2 * buckets.length);
  rows.set([100, -50], 2 * buckets.indexOf(subwords.bucketsOf('ház')[0]));
  return builder.table(new NgramTable(subwords, buckets, rows, new Float32Array(buckets.length).fill(0.02)));
}

function vectorOf(vectors: ReturnType<typeof table>, form: string): number[] | undefined {
  const out = new Float32Array(2);
  return vectors.fill(form, out, 0) ? [...out].map((number) => Math.round(number * 1000) / 1000) : undefined;
}

test('words and n-grams are read back from a file, and an unknown word gets the mean of its n-grams', () => {
  const path = sandbox.path('saved.vectors');
  saveVectors(path, table());
  const read = loadVectors(path);
  expect(read.digest).toBe(table().digest);
  expect(vectorOf(read, 'Ház')).toEqual([0.4, 0.4]);
  // No word has the other n-gram, há>.
  expect(vectorOf(read, 'há')).toEqual([2, -1]);
  expect(vectorOf(read, 'xyz')).toBeUndefined();
});

test('a limit keeps the first words, and the n-grams of all words', async () => {
  const path = sandbox.path('saved.vectors');
  saveVectors(path, table());
  const some = await readVectors(path, 2);
  expect(some.size).toBe(2);
  expect(vectorOf(some, 'házam')).toEqual([1, -0.5]);
});

test.each([
  [
    'bucket numbers that are not ascending',
    { buckets: [5, 5] },
    'section vectors.ngrams.buckets: expected ascending numbers',
  ],
  [
    'a bucket number that is too large',
    { buckets: [5, 1000] },
    'section vectors.ngrams.buckets: expected numbers from 0 to 999',
  ],
  ['too few rows of n-grams', { rows: 3 }, 'section vectors.ngrams.rows holds 3 numbers, expected 4'],
  [
    'scales that are not finite',
    { scale: Number.NaN },
    'section vectors.ngrams.scales has scales that are not finite numbers',
  ],
  [
    'n-grams that are too long',
    { most: 1000 },
    'header field wordVectors.ngrams.most: expected a whole number from 3 to 29',
  ],
  ['a model that is not a table of vectors', { paradigm: 'graph' }, 'expected a table of word vectors'],
])(
  'loading refuses %s',
  (_, { buckets = [5, 7], rows = 4, scale = 1, most = 3, paradigm }: Partial<Hostile>, message) => {
    const model = new ModelWriter();
    const ngrams = { least: 3, most, buckets: 1000 };
    Object.assign(
      model.header,
      paradigm ? { paradigm } : { wordVectors: { dimensions: 2, words: 1, ngrams } },
    );
    model.section('vectors.rows', new Int8Array(2));
    model.section('vectors.scales', new Float32Array(1));
    model.section('vectors.words', Buffer.from('a\n'));
    model.section('vectors.ngrams.buckets', Int32Array.from(buckets));
    model.section('vectors.ngrams.rows', new Int8Array(rows));
    model.section('vectors.ngrams.scales', new Float32Array(2).fill(scale));
    const path = sandbox.path('hostile.vectors');
    writeModelFile(path, model);
    expect(() => loadVectors(path)).toThrow(message);
  },
);

interface Hostile {
  readonly buckets: readonly number[];
  readonly rows: number;
  readonly scale: number;
  readonly most: number;
  readonly paradigm: string;
}
