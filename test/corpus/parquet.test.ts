import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { ParquetOutput } from '../../corpus/parquet.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { sampleText } from '../support/sample.ts';

const text = sampleText('dev');

async function rowsOf(output: ParquetOutput): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: Uint8Array.from(output.finish()).buffer });
}

test('the table has a row for each word, with its sentence and document', async () => {
  const output = new ParquetOutput(1, 'a.txt');
  output.write(text, 'a.txt');
  const rows = await rowsOf(output);
  const sentences = readSentences(text);
  expect(rows).toHaveLength(sentences.reduce((sum, { length }) => sum + length, 0));
  const [{ id, forms, upos, xpos, labels, heads }] = sentences as [(typeof sentences)[0]];
  const written = expect.stringMatching(/^I have attached a draft/);
  const of = { document: 'a.txt', sentence: id, text: written };
  const [lemma, feats, deps, misc] = ['_', '_', '_', '_'];
  const word = { form: forms[1], lemma, upos: upos[1], xpos: xpos[1], feats, deprel: labels[1], deps, misc };
  expect(rows[0]).toEqual({ ...of, id: 1, head: heads[1], ...word });
});

test('line separators in texts are kept, and lines may end with CRLF', async () => {
  const output = new ParquetOutput(1, 'x');
  output.write('# newdoc id = a\u2028b\r\n# text = A\u2028B\r\n1\tA\t_\t_\t_\t_\t_\t_\t_\t_\r\n\r\n', 'x');
  expect(await rowsOf(output)).toMatchObject([{ document: 'a\u2028b', text: 'A\u2028B' }]);
});

test('documents have their own name or that of their file, and words may lack a head', async () => {
  const output = new ParquetOutput(1, 'before');
  const word = '1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n';
  output.write(`# sent_id = a\n${word}# newdoc id = next one\n# sent_id = b\n${word}`, 'a.conllu');
  output.write(`# sent_id = c\n${word}# newdoc\n# sent_id = d\n${word}`, 'a.conllu');
  output.write(`# newdoc\n# sent_id = e\n${word}`, 'b.conllu');
  const rows = await rowsOf(output);
  expect(rows.map(({ document, sentence, head }) => [document, sentence, head])).toEqual([
    ['before', 'a', null],
    ['next one', 'b', null],
    ['next one', 'c', null],
    ['a.conllu', 'd', null],
    ['b.conllu', 'e', null],
  ]);
});

test('sentences without a name are numbered within their shard', async () => {
  const output = new ParquetOutput(12, 'x');
  const words = [1, 2].map((d) => `${d}\tdogs\t_\t_\t_\t_\t_\t_\t_\t_\n`).join('');
  for (const comment of ['', '# sent_id = own\n', '']) output.write(`${comment}${words}\n`, 'x');
  const names = (await rowsOf(output)).map(({ sentence }) => sentence);
  expect(names).toEqual(['12-1', '12-1', 'own', 'own', '12-3', '12-3']);
});
