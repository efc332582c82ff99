import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundledExperiments, readExperiment } from '../../../experiment/definition/experiment.ts';
import { layOut } from '../../../experiment/definition/layout.ts';
import { allParadigms } from '../../../parsers/registry.ts';
import { Catalogue } from '../../../src/treebank/catalogue.ts';
import { Sandbox } from '../../support/sandbox.ts';

const paradigms = await allParadigms();

const sandbox = new Sandbox('experiment-file');

const small = {
  title: 'Small',
  description: 'For tests.',
  report: ['uas'],
  defaults: { treebank: 'sample' },
  rows: [{ name: 'a' }, { name: 'b', options: { distance: 'exact' } }, { name: 'c' }],
};

/** The message that refuses a file with this content, without the path of the temporary folder. */
async function refusal(content: unknown): Promise<string> {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const file = sandbox.save('table.json', text);
  try {
    layOut(await readExperiment(file), paradigms);
    return 'accepted';
  } catch (error) {
    return (error as Error).message.replace(file, 'table.json');
  }
}

describe('the bundled experiment', () => {
  it.each(bundledExperiments())(
    '%s follows the schema, and its paradigms accept its options',
    async (name) => {
      const { rows, columns, cells } = layOut(await readExperiment(name), paradigms);
      expect(cells.map((row) => row.length)).toEqual(rows.map(() => columns.length));
    },
  );

  it.each(bundledExperiments())('%s uses only treebanks of the catalogue', async (name) => {
    const catalogue = await Catalogue.open();
    const { defaults, rows = [], columns = [] } = await readExperiment(name);
    for (const { treebank, taggedBy, scoreOn } of [defaults, ...rows, ...columns]) {
      for (const each of [treebank, taggedBy, scoreOn]) {
        if (each !== undefined) expect(() => catalogue.entry(each as string)).not.toThrow();
      }
    }
  });
});

describe('the error message for an invalid experiment file', () => {
  const withRow = (row: object) => ({ ...small, rows: [...small.rows.slice(0, 2), { name: 'c', ...row }] });
  const epochs = { option: 'epochs', values: [1, 2], fromOneTraining: true };
  const { rows: _, ...rowless } = small;

  it.each([
    [
      'an invalid value of an option',
      withRow({ options: { distance: 'far' } }),
      'rows[2].options.distance: expected one of bucket, capped, exact, none',
    ],
    [
      'an invalid value inside an option',
      withRow({ options: { templates: ['mcdonald', 'x'] } }),
      /^table\.json: rows\[2\]\.options\.templates\[1\]: expected one of mcdonald, /,
    ],
    [
      'an unknown key inside an option',
      withRow({ options: { templates: [{ arcs: ['hp dp'], labels: ['hp'], folds: 5 }] } }),
      'rows[2].options.templates[0]: unknown key “folds”',
    ],
    [
      'an option out of range',
      withRow({ options: { epochs: 0 } }),
      'rows[2].options.epochs: expected a whole number from 1 to 1000',
    ],
    [
      'an option that the paradigm lacks',
      withRow({ options: { epoch: 1 } }),
      /^table\.json: rows\[2\]\.options\.epoch: graph has no such option, expected one of epochs, .* \(Did you mean epochs\?\)$/,
    ],
    [
      'an invalid default of an option',
      { ...small, defaults: { treebank: 'sample', options: { bits: 99 } } },
      'defaults.options.bits: expected a whole number from 10 to 28',
    ],
    [
      'an invalid value of a sweep',
      { ...rowless, sweep: { option: 'bits', values: [12, 1] } },
      'sweep.values[1]: expected a whole number from 10 to 28',
    ],
    [
      'an invalid number of sentences in a sweep',
      { ...rowless, sweep: { option: 'trainSentences', values: [10, 0.5] } },
      'sweep.values[1]: expected a number of sentences, or all',
    ],
    ['a mistyped key', withRow({ optoins: {} }), 'rows[2]: unknown key “optoins”'],
    ['a mistyped required key', { ...small, title: undefined, titel: 'x' }, 'unknown key “titel”'],
    ['a missing key', { ...small, title: undefined }, 'title: expected string, but it is missing'],
    [
      'an unknown figure',
      { ...small, report: ['uas', 'speed'] },
      /^table\.json: report\[1\]: expected one of uas, las, /,
    ],
    [
      'an unknown paradigm',
      withRow({ paradigm: 'trasition' }),
      /^table\.json: rows\[2\]\.paradigm: expected one of graph.* \(Did you mean transition\?\)$/,
    ],
    [
      'an unknown punctuation rule',
      withRow({ punctuation: 'no' }),
      /^table\.json: rows\[2\]\.punctuation: expected one of include, /,
    ],
    [
      'a treebank with a mistyped key',
      withRow({ treebank: { trian: 'x' } }),
      'rows[2].treebank: unknown key “trian”',
    ],
    [
      'a treebank that is neither a name nor files',
      withRow({ treebank: 3 }),
      'rows[2].treebank: expected string, received number or expected object, received number',
    ],
    [
      'unknown tags',
      withRow({ tags: 'automatic' }),
      'rows[2].tags: expected one of gold, predicted-at-test, predicted, both',
    ],
    [
      'a tagger without predicted tags: tags are gold by default',
      withRow({ taggedBy: 'genia' }),
      'rows[2].taggedBy: needs tags, whose default is gold',
    ],
    [
      'a tagger that is neither a treebank’s name nor its files',
      withRow({ tags: 'predicted', taggedBy: { dev: 'x' } }),
      'rows[2].taggedBy.train: expected string, but it is missing',
    ],
    ['one fold', withRow({ tags: 'predicted', folds: 1 }), 'rows[2].folds: expected number to be >=2'],
    [
      'folds without guides or predicted training tags',
      withRow({ tags: 'predicted-at-test', folds: 5 }),
      'rows[2].folds: has no effect without guides or predicted tags to learn from',
    ],
    [
      'sentences set aside for a vote with equal weights',
      withRow({ vote: { method: 'superparser', weights: 'equal' }, setAside: 0.2 }),
      'rows[2].setAside: has no effect without weights of a vote to learn, or epochs to choose among',
    ],
    [
      'sentences set aside in a column that does not choose an epoch',
      { ...small, columns: [{ name: 'x', setAside: 0.2 }] },
      'columns[0].setAside: has no effect without weights of a vote to learn, or epochs to choose among',
    ],
    [
      'predicted training tags for a parser that is trained on brackets',
      withRow({ paradigm: 'pcfg', tags: 'predicted' }),
      'rows[2].tags: pcfg is trained on brackets with their tags, expected gold or predicted-at-test',
    ],
    [
      'silver trees for a parser that cannot be trained on them',
      withRow({ paradigm: 'bigram', silver: { trees: 'x.conllu' } }),
      'rows[2].silver: bigram does not weigh trees with these options',
    ],
    [
      'silver trees together with guides',
      withRow({ silver: { trees: 'x.conllu' }, guides: [{ parser: 'bigram' }] }),
      'rows[2].silver: does not go with guides',
    ],
    [
      'silver trees that weigh more than gold ones',
      withRow({ silver: { trees: 'x.conllu', weight: 2 } }),
      'rows[2].silver.weight: expected number to be <=1',
    ],
    ['a seed twice', withRow({ seeds: [1, 1] }), 'rows[2].seeds: expected every seed once'],
    ['a row twice', { ...small, rows: [{ name: 'a' }, { name: 'a' }] }, 'rows: expected different names'],
    ['neither rows nor a sweep', rowless, 'expected either rows or sweep'],
    ['both rows and a sweep', { ...small, sweep: epochs }, 'expected either rows or sweep'],
    [
      'a baseline that is not a row',
      { ...small, baseline: 'd' },
      'baseline: no row is called “d”, expected previous or one of a, b, c',
    ],
    [
      'one training for several values of an option other than epochs and members',
      { ...rowless, sweep: { ...epochs, option: 'bits' } },
      'sweep.fromOneTraining: expected only for epochs or members',
    ],
    [
      'figures that are not known after every epoch',
      { ...rowless, sweep: epochs, report: ['laa'] },
      'report: expected uas and las only with sweep.fromOneTraining, not laa',
    ],
    [
      'a punctuation rule that is not used after every epoch',
      { ...rowless, sweep: epochs, defaults: { punctuation: 'upos' } },
      'punctuation: expected include with sweep.fromOneTraining',
    ],
    [
      'a row that combines an unknown row',
      withRow({ of: ['a', 'x'] }),
      'rows[2].of: “x” is not trained, expected some of a, b',
    ],
    [
      'a row that combines others but has options of its own',
      withRow({ of: 'all', options: {} }),
      'rows[2]: expected none of paradigm, options, guides, trainSentences, seeds, tags, taggedBy, morphology, folds, silver, treebank beside of and vote',
    ],
    [
      'a row of another program’s files that has options',
      withRow({ files: 'x.conllu', seeds: [2] }),
      /^table\.json: rows\[2\]: expected none of paradigm, .* beside files$/,
    ],
    [
      'a row of another program’s files that is a vote',
      withRow({ files: 'x.conllu', of: 'all' }),
      'rows[2]: expected either files, or of and vote',
    ],
    [
      'a guide of an unknown paradigm',
      withRow({ guides: [{ parser: 'grph' }] }),
      /^table\.json: rows\[2\]\.guides\[0\]\.parser: expected one of graph, /,
    ],
    [
      'a guide that is trained on brackets',
      withRow({ guides: [{ parser: 'pcfg' }] }),
      'rows[2].guides[0].parser: pcfg learns from brackets, not from dependencies',
    ],
    [
      'an option that a guide does not have',
      withRow({ guides: [{ parser: 'graph' }, { parser: 'bigram', options: { epochs: 2 } }] }),
      /^table\.json: rows\[2\]\.guides\[1\]\.options\.epochs: bigram has no such option, expected one of /,
    ],
    [
      'guides for a parser that takes none',
      withRow({ paradigm: 'bigram', guides: [{ parser: 'graph' }] }),
      'rows[2].guides: bigram takes no guides',
    ],
    [
      'a breakdown after every epoch',
      { ...rowless, sweep: epochs, by: ['label'] },
      'by: one training keeps the trees of its end only, not of each value',
    ],
    [
      'morphology that gives the value of a feature, not only its name',
      withRow({ morphology: ['Case=Nom'] }),
      /^table\.json: rows\[2\]\.morphology/,
    ],
    [
      'averages over a single treebank',
      { ...small, averages: true },
      'averages: expected rows or columns that each name a treebank',
    ],
    [
      'a combined row that meets a combined column',
      { ...withRow({ of: 'all' }), columns: [{ name: 'x' }, { name: 'y', of: 'all' }] },
      'columns[1]: combines other columns, but rows[2] combines other rows',
    ],
    [
      'an unknown voting method',
      withRow({ vote: { method: 'toss' } }),
      'rows[2].vote.method: expected one of superparser, reparse-cle, reparse-eisner, oracle, constituents',
    ],
    [
      'a vote after every epoch',
      { ...rowless, sweep: epochs, columns: [{ name: 'x' }, { name: 'y', vote: { method: 'oracle' } }] },
      'columns[1]: cannot combine cells or take other programs’ output with sweep.fromOneTraining',
    ],
    [
      'a treebank to score on with a training part',
      withRow({ scoreOn: { train: 'x', dev: 'y' } }),
      'rows[2].scoreOn: unknown key “train”',
    ],
    [
      'a row that combines others, none of them trained',
      { ...small, rows: [{ name: 'a', vote: { method: 'oracle' } }] },
      'rows[0]: combines other cells, but none is trained',
    ],
    [
      'a vote that names a member twice',
      withRow({ of: ['a', 'a'], vote: { method: 'superparser' } }),
      'rows[2].of: expected every name once',
    ],
    [
      'a file for a column that does not exist',
      { ...withRow({ files: { X: 'a.conllu' } }), columns: [{ name: 'x' }, { name: 'yes' }] },
      'rows[2].files: no column is called “X” (Did you mean x?)',
    ],
    [
      'a file for a row that does not exist',
      { ...small, columns: [{ name: 'x', files: { no: 'a.conllu' } }] },
      'columns[0].files: no row is called “no”',
    ],
    [
      'a path with a NUL character',
      withRow({ treebank: { train: 'a\0b' } }),
      'rows[2].treebank.train: expected a path, without NUL',
    ],
    [
      'a table so large that planning alone would take minutes',
      {
        ...rowless,
        sweep: { option: 'epochs', values: Array.from({ length: 900 }, (_, i) => i + 1) },
        columns: Array.from({ length: 100 }, (_, i) => ({ name: `c${i}`, seeds: [i] })),
      },
      '900 × 100 cells with 90000 runs, expected at most 20000',
    ],
    [
      'a table without a treebank',
      { ...small, defaults: {} },
      'table.json names no treebank: give one with treebank',
    ],
  ])('is one line with the path inside the file: %s', async (_, content, expected) => {
    const message = await refusal(content);
    if (typeof expected === 'string') expect(message.replace(/^table\.json: /, '')).toBe(expected);
    else expect(message).toMatch(expected);
  });

  it('names the line if the file is not JSON', async () => {
    expect(await refusal('{\n  "title": "x",\n}\n')).toMatch(/^table\.json:3: not JSON: /);
  });

  it('names the line of a repeated key', async () => {
    const json = JSON.stringify(small, null, 1);
    const title = '"title": "a \\"key\\": {"';
    expect(await refusal(json.replace('{', `{\n ${title},\n ${title},`))).toBe(
      'table.json:3: the key "title" a second time',
    );
    expect(await refusal(`{"title": [{"a": 1}, {"a": 1}, "a"]}`)).not.toContain('a second time');
  });

  it('lists the bundled experiments if the name is unknown', async () => {
    await expect(readExperiment('laddr')).rejects.toThrow(
      /no experiment is called “laddr” \(Did you mean ladder\?\); there are .*ladder/,
    );
    await expect(readExperiment(sandbox.path('no.json'))).rejects.toThrow(
      /no\.json: cannot be read: no such file/,
    );
  });
});

describe('the settings of a cell', () => {
  const layout = async (content: object) =>
    layOut(await readExperiment(sandbox.save('table.json', JSON.stringify(content))), paradigms);

  it('are the defaults, overridden by the row and then by the column; options are merged', async () => {
    const { cells } = await layout({
      ...small,
      defaults: { treebank: 'sample', seeds: [1], options: { epochs: 2, bits: 12, tag: 'upos' } },
      rows: [{ name: 'r', seeds: [2, 3], options: { epochs: 3, tag: 'xpos' } }],
      columns: [{ name: 'c', punctuation: 'upos', options: { tag: 'both' } }, { name: 'd' }],
    });
    expect(cells[0][0]).toMatchObject({
      paradigm: 'graph',
      seeds: [2, 3],
      punctuation: 'upos',
      statistic: 'mean',
    });
    expect(cells[0][0]).toMatchObject({
      options: { epochs: 3, bits: 12, tag: 'both', decoder: 'chu-liu-edmonds' },
    });
    expect(cells[0][1]).toMatchObject({ punctuation: 'include', options: { tag: 'xpos' } });
  });

  it('are also read after a byte-order mark', async () => {
    const file = sandbox.save('marked.json', `\ufeff${JSON.stringify(small)}`);
    expect((await readExperiment(file)).title).toBe(small.title);
  });

  it('have file paths that start at the folder of the experiment file', async () => {
    const { cells } = await layout({
      ...small,
      defaults: {
        treebank: { train: 'a.conllu', dev: join('b', 'c') },
        scoreOn: { dev: 'd' },
        ...{ tags: 'predicted', taggedBy: { train: 'e' }, silver: { trees: 'f' } },
      },
    });
    expect(cells[0][0]).toMatchObject({
      treebank: { train: resolve(sandbox.folder, 'a.conllu'), dev: resolve(sandbox.folder, 'b', 'c') },
      scoreOn: { dev: resolve(sandbox.folder, 'd') },
      taggedBy: { train: resolve(sandbox.folder, 'e') },
      silver: { trees: resolve(sandbox.folder, 'f') },
    });
  });

  it('have gold tags by default, even if a tagger is set for other cells', async () => {
    const { cells } = await layout({
      ...small,
      columns: [
        { name: 'g', tags: 'gold' },
        { name: 'p', tags: 'predicted' },
      ],
      rows: [{ name: 'a', taggedBy: 'genia' }],
    });
    expect(cells).toMatchObject([[{ tags: 'gold' }, { tags: 'predicted', taggedBy: 'genia', folds: 10 }]]);
    expect((await layout(small)).cells[0][0]).toMatchObject({ tags: 'gold' });
  });

  it('may include defaults that affect only some of the cells', async () => {
    const { cells } = await layout({
      ...small,
      defaults: { ...small.defaults, folds: 5, setAside: 0.2 },
      rows: [
        ...[{ name: 'gold' }, { name: 'predicted', tags: 'predicted' }],
        { name: 'vote', vote: { method: 'superparser', weights: 'uas' } },
      ],
    });
    expect(cells).toMatchObject([[{ folds: 5 }], [{ folds: 5 }], [{ setAside: 0.2 }]]);
  });

  it('are given by one row for each value of a sweep', async () => {
    const { rows: _, ...rowless } = small;
    const { rows, cells } = await layout({
      ...rowless,
      sweep: { option: 'trainSentences', values: [10, 20] },
    });
    expect(rows).toEqual(['10', '20']);
    expect(cells).toMatchObject([[{ trainSentences: 10 }], [{ trainSentences: 20 }]]);
  });
});
