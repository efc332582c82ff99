import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { corpusInputs } from '../../corpus/inputs.ts';
import { type ParsingOptions, parseShard } from '../../corpus/parse-shard.ts';
import { shardsOf } from '../../corpus/shards.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { collect } from '../support/collect.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('parse-shard');

/** Attaches all tokens to the root. */
const parse = ({ length }: Sentence) => ({
  heads: Int32Array.from({ length: length + 1 }, (_, d) => (d === 0 ? -1 : 0)),
  labels: new Array<string>(length + 1).fill('root'),
  notices: [],
});
const parser = { reads: [], filled: {}, parse, parseAll: (all: readonly Sentence[]) => all.map(parse) };

const options: ParsingOptions = {
  ...{ to: 'conllu', isCompressed: false, field: 'text', keep: [] },
  ...{ confidence: false, skipInvalid: false, allowMissing: false },
};

/** The output of each shard. */
async function parsed(files: readonly string[], size: number, more: Partial<ParsingOptions>) {
  const shards = await collect(shardsOf(await corpusInputs(files), size));
  const model = { tokenizer: undefined, parser };
  const all = await Promise.all(shards.map((shard) => parseShard(model, shard, { ...options, ...more })));
  return all.map((one) => ('problem' in one ? expect.fail(one.problem) : Buffer.from(one.bytes)));
}

test('documents of CoNLL-U have the same names in Parquet wherever the files are cut', async () => {
  const word = '1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n';
  const begun = ['', '# newdoc id = x', '', '', '# newdoc', ''];
  const text = `${begun.map((comment) => `${comment}\n${word}`).join('')}# newdoc id = empty\n`;
  const files = ['a', 'b'].map((name) => sandbox.save(`${name}.conllu`, text));
  const names = files.flatMap((file) => [file, 'x', 'x', 'x', file, file]);
  for (const size of [25, 60, 120, 10_000]) {
    const tables = await parsed(files, size, { to: 'parquet' });
    const rows = await Promise.all(
      tables.map((file) => parquetReadObjects({ file: Uint8Array.from(file).buffer })),
    );
    expect(rows.flat().map(({ document }) => document)).toEqual(names);
    expect(new Set(rows.flat().map(({ sentence }) => sentence)).size).toBe(names.length);
  }
});
