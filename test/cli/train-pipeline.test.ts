import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { loadEncoder } from '../../src/learn/encoder/encoder-file.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { babble } from '../support/babble.ts';
import { collect } from '../support/collect.ts';
import { encoderFile } from '../support/encoder-file.ts';
import { quickAnnotators } from '../support/quick-annotators.ts';
import { cliPath, runCli } from '../support/run-cli.ts';
import { runHere } from '../support/run-in-process.ts';
import { sampleText } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('train-pipeline');
const cwd = sandbox.folder;

/** Saves the first sentences of the sample with lemmas, which the sample lacks. */
function save(part: 'train' | 'dev', sentences: number): void {
  const blocks = sampleText(part).split('\n\n').slice(0, sentences);
  const text = `${blocks.join('\n\n')}\n\n`;
  const withLemmas = text.replace(
    /^(\d+\t)([^\t]+)\t_/gm,
    (_, id, form) => `${id}${form}\t${form.toLowerCase()}`,
  );
  sandbox.save(`${part}.conllu`, withLemmas);
}
save('train', 40);
save('dev', 15);

const quick = ['--epochs', '1', '--bits', '12', '--templates', 'mcdonald'];
const files = (model: string) => ['--train', 'train.conllu', '--dev', 'dev.conllu', '--model', model];
const args = (model: string, cache: string, ...more: string[]) => [
  ...['train', 'pipeline', ...files(model), ...quickAnnotators],
  ...['--cache', cache, '--parser', 'graph', ...quick, ...more],
];
/** Gold tags need no folds. */
const withoutFolds = (words: readonly string[]) =>
  words.filter((word, i) => word !== '--folds' && words[i - 1] !== '--folds');
const learn = (model: string, ...more: string[]) => runHere(args(model, 'store', ...more), { cwd });
const bytesOf = (name: string) => readFileSync(sandbox.path(name));

describe('parliament train pipeline', () => {
  test('trains a model that turns text into trees, and prints its scores', async () => {
    const { status, stdout, stderr } = await learn('whole.model');
    expect(status).toBe(0);
    expect(stderr).toMatch(/^tokenizer {3}\d.*\n/m);
    expect(stderr).toMatch(/^folds {7}\d.*\n/m);
    expect(stdout).toMatch(/^whole\.model: .* of memory\n/);
    expect(stdout).toMatch(/^dev, from text: Tokens [\d.]+ Sentences .* UPOS .* Lemmas .* LAS [\d.]+$/m);
    expect(stdout).toMatch(
      /^dev, from tokens: UPOS [\d.]+ XPOS [\d.]+ Lemmas [\d.]+ UAS [\d.]+ LAS [\d.]+$/m,
    );
    const parsed = await runHere(['parse', '--model', 'whole.model', '-', '--quiet'], {
      cwd,
      input: 'The dogs bark all night.',
    });
    expect(parsed.stdout).toMatch(
      /^# text = The dogs bark all night\.\n1\tThe\tthe\t\w+\t.*\t\d\t\w+\t_\t_$/m,
    );
    expect(readdirSync(cwd)).not.toContain('whole.model.checkpoint');
  });

  test('trains for fewer epochs by default, because every sentence occurs twice, unless --epochs is given', async () => {
    const whole = [
      'train',
      'pipeline',
      ...files('fewer.model'),
      ...quickAnnotators,
      '--cache',
      'store',
      '--bits',
      '12',
    ];
    const { status } = await runHere([...whole, '--limit', '12', '--beam', '1', '--quiet'], { cwd });
    expect(status).toBe(0);
    expect(readModelFile(sandbox.path('fewer.model')).part('parser').header.options).toMatchObject({
      epochs: 15,
    });
    expect(readModelFile(sandbox.path('whole.model')).part('parser').header.options).toMatchObject({
      epochs: 1,
    });
  });

  test('prints the parts, the epochs of the parser and the scores as JSON', async () => {
    const words = args('json.model', 'store', '--json', '--quiet', '--seed', '2', '--tags', 'gold');
    const { stdout, stderr } = await runHere(withoutFolds(words), { cwd });
    expect(stderr).toBe('');
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ model: 'json.model', epochs: [{ epoch: 1 }] });
    for (const { start, seconds } of report.parts) expect([start >= 0, seconds >= 0]).toEqual([true, true]);
    const names = report.parts.map(({ part }: { part: string }) => part);
    expect(names.sort()).toEqual(['lemmatizer', 'parser', 'scores', 'tagger', 'tokenizer']);
    expect(Object.keys(report.scores.text)).toEqual([
      ...['Tokens', 'Sentences', 'Words', 'UPOS', 'XPOS', 'Lemmas', 'UAS', 'LAS'],
    ]);
    expect(Object.keys(report.scores.tokens)).toEqual(['UPOS', 'XPOS', 'Lemmas', 'UAS', 'LAS']);
  });

  test('has the options of its parser, and help that says how to see those of other parsers', async () => {
    const help = await runHere(['train', 'pipeline', '--help']);
    expect(help.stdout).toMatch(/--beam <n>/);
    expect(help.stdout).toContain('see --parser NAME --help for others');
    const ofGraph = await runHere(['train', 'pipeline', '--parser=graph', '--help']);
    expect(ofGraph.stdout).toMatch(/--decoder <value>/);
    expect(ofGraph.stdout).not.toMatch(/--beam <n>/);
    const { status, stderr } = await learn('none.model', '--beam', '4');
    expect({ status, stderr }).toEqual({ status: 2, stderr: "parliament: error: unknown option '--beam'\n" });
  });

  test.each(['pcfg', 'spans'])('refuses %s, which is trained on brackets', async (parser) => {
    const { status, stderr } = await runHere(
      ['train', 'pipeline', '--parser', parser, '--train', 'none.mrg', '--model', 'none.model'],
      { cwd },
    );
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining(`--parser ${parser} is trained on brackets`),
    ]);
  });

  test('gives the language model of --encoder to both the tagger and the network parser', async () => {
    const reading = [
      '--parser',
      'network',
      '--epochs',
      '1',
      '--units',
      '8',
      '--encoder',
      await encoderFile(),
    ];
    const words = [
      'train',
      'pipeline',
      ...files('reading.model'),
      ...withoutFolds(quickAnnotators),
      '--tags',
      'gold',
      ...reading,
    ];
    expect(await runHere([...words, '--cache', 'store'], { cwd })).toMatchObject({ status: 0 });
    const model = readModelFile(sandbox.path('reading.model'));
    expect(model.part('tagger').has('tagger.network.encoder.forward.words')).toBe(true);
    expect(model.part('parser').has('encoder.forward.words')).toBe(true);
  });

  test('with --text, first trains word vectors and a language model, and reuses them later', async () => {
    const sentences = await collect(babble(1, 500));
    sandbox.save('raw.txt', sentences.map((words) => words.join(' ')).join('\n\n'));
    const learnFromText = (...more: string[]) => learn('text.model', '--text', 'raw.txt', ...more);
    const first = await learnFromText();
    expect(first.stderr).toContain('training word vectors and a language model first, on ');
    const tagger = () => readModelFile(sandbox.path('text.model')).part('tagger');
    expect(tagger().has('tagger.network.encoder.forward.words')).toBe(true);
    expect(tagger().fields('options').fields('vectors').text('file')).toMatch(/\.vectors$/);
    const bytes = bytesOf('text.model');
    const again = await learnFromText();
    expect(again.stderr).toMatch(/^vectors {5}reused$/m);
    expect(again.stderr).toMatch(/^encoder {5}reused$/m);
    expect(bytesOf('text.model').equals(bytes)).toBe(true);
    sandbox.save('own.vec', `${sentences[0].map((word) => `${word} 1 0.5`).join('\n')}\n`);
    expect((await learnFromText('--vectors', 'own.vec')).stderr).not.toMatch(/^vectors|word vectors and/m);
    expect(tagger().has('tagger.network.vectors.rows')).toBe(true);
    const both = await learnFromText('--encoder', await encoderFile());
    expect(both).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--text does not go with --encoder'),
    });
    const bare = ['train', 'pipeline', ...files('unread.model'), '--parser', 'graph'];
    const unread = await runHere([...bare, '--tagger', '--units 0', '--text', 'raw.txt'], { cwd });
    expect(unread.stderr).toContain(
      '--text: neither the parser nor the tagger reads word vectors or a language model, which are made of it',
    );
  });

  test('splits raw text into the treebank’s words for the language model, even without blanks between them', async () => {
    const dense = readFileSync(sandbox.path('train.conllu'), 'utf8')
      .replace(/^# text = .*\n/gm, '')
      .replace(/^(\d+\t.*\t)[^\t\n]*$/gm, '$1SpaceAfter=No');
    sandbox.save('dense.conllu', dense);
    const sentences = readSentences(dense).map(({ forms }) => forms.slice(1).join(''));
    sandbox.save('dense.txt', Array.from({ length: 6 }, () => sentences.join('\n\n')).join('\n\n'));
    const words = [
      'train',
      'pipeline',
      '--train',
      'dense.conllu',
      '--model',
      'dense.model',
      ...quickAnnotators,
    ];
    const more = ['--cache', 'dense', '--parser', 'graph', ...quick, '--text', 'dense.txt'];
    const { stderr, status } = await runHere([...words, ...more], { cwd });
    expect({ stderr, status }).toMatchObject({ status: 0 });
    const { options } = readModelFile(sandbox.path('dense.model')).part('tokenizer').header;
    expect(options).toMatchObject({ epochs: 1, text: { file: 'dense.txt' } });
    const [file] = readdirSync(sandbox.path('dense')).filter((name) => name.endsWith('.encoder'));
    const { vocabulary } = loadEncoder(sandbox.path(`dense/${file}`));
    expect(vocabulary.words).toEqual(expect.arrayContaining(['the', 'of', ',']));
  });

  test('trains a vote of parsers, each with its own options', async () => {
    const run = await runHere(
      [
        ...[
          'train',
          'pipeline',
          ...files('vote.model'),
          ...quickAnnotators,
          '--cache',
          'store',
          '--parser',
          'vote',
        ],
        ...['--members', `graph ${quick.join(' ')}`, `graph --decoder eisner ${quick.join(' ')}`],
        ...['--weighting', 'uas', '--quiet'],
      ],
      { cwd },
    );
    expect(run).toMatchObject({ status: 0, stderr: '' });
    const { header } = readModelFile(sandbox.path('vote.model'));
    expect(header).toMatchObject({
      options: { parser: 'vote', members: [{ parser: 'graph' }, { options: { decoder: 'eisner' } }] },
      pipeline: ['tokenizer', 'tagger', 'lemmatizer', 'parser-1', 'parser-2'],
    });
  });

  test.each([
    [['--members', 'prophet', 'graph'], "option '--members': prophet: 'prophet' is not one of graph, "],
    [['--members', 'graph --beam 3', 'graph'], "option '--members': graph --beam 3: unknown option '--beam'"],
    [['--members', 'graph 3', 'graph'], "option '--members': graph 3: too many arguments"],
    [
      ['--parser', 'graph --epochs 2'],
      'Its options stand outside the quotation marks: --parser graph --epochs 2',
    ],
    [['--tagger', '--epochs none'], "option '--tagger': option '--epochs <n>' argument 'none' is invalid."],
  ])('refuses unknown parsers and wrong options: %j', async (more, message) => {
    const run = await runHere(['train', 'pipeline', ...files('none.model'), '--parser', 'vote', ...more], {
      cwd,
    });
    expect(run.status).toBe(2);
    expect(run.stderr).toContain(message);
    expect(run.stderr.split('\n')).toHaveLength(2);
  });

  test('gives the same bytes after it was killed in the middle and resumed, also with two threads', async () => {
    mkdirSync(sandbox.path('killed'));
    const given = args('killed.model', 'killed', '--quiet', '--jobs', '2');
    const child = spawn(process.execPath, [cliPath, ...given], { cwd, stdio: 'ignore' });
    const closed = once(child, 'close');
    const models = () => readdirSync(sandbox.path('killed')).filter((name) => name.endsWith('.model'));
    while (models().length === 0 && child.exitCode === null) await setTimeout(2);
    child.kill('SIGKILL');
    expect(await closed).toEqual([null, 'SIGKILL']);
    const { status, stderr } = runCli([...given, '--resume'], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(bytesOf('killed.model').equals(bytesOf('whole.model'))).toBe(true);
  });

  test('resumes from the checkpoint of its parser if it was stopped while training the parser', async () => {
    cpSync(sandbox.path('store'), sandbox.path('other'), { recursive: true });
    const long = (model: string, cache: string) => [
      ...['train', 'pipeline', ...files(model), ...quickAnnotators, '--cache', cache, '--parser', 'graph'],
      ...['--epochs', '60', '--bits', '12', '--json'],
    ];
    const given = long('stopped.model', 'store');
    const child = spawn(process.execPath, [cliPath, ...given], { cwd, stdio: 'ignore' });
    const closed = once(child, 'close');
    while (!readdirSync(cwd).includes('stopped.model.checkpoint') && child.exitCode === null)
      await setTimeout(2);
    child.kill('SIGINT');
    expect(await closed).toEqual([130, null]);
    const resumed = await runHere([...given, '--resume'], { cwd });
    expect(JSON.parse(resumed.stdout).epochs).toHaveLength(60);
    expect(await runHere(long('unstopped.model', 'other'), { cwd })).toMatchObject({ status: 0 });
    expect(bytesOf('stopped.model').equals(bytesOf('unstopped.model'))).toBe(true);
  });
});
