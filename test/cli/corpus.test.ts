import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { makePipeline } from '../../combine/pipeline/make-pipeline.ts';
import { savePipeline } from '../../combine/pipeline/saved-pipeline.ts';
import { packageFolder } from '../../src/platform/package.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { textOf } from '../../src/treebank/surface.ts';
import { needs } from '../support/needs.ts';
import { startCli } from '../support/processes.ts';
import { cliPath, runCli } from '../support/run-cli.ts';
import { runHere } from '../support/run-in-process.ts';
import { samplePath, sampleText, trainOnSample } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';
import { smallModels } from '../support/small-pipeline.ts';

const sandbox = new Sandbox('corpus');
const [model, parser] = [sandbox.path('english.model'), sandbox.path('parser.model')];
const texts = sandbox.path('texts');
const input = [texts, '--include', '*.txt*'];

/** Paragraphs of three sentences. */
const text = readSentences(sampleText('dev'))
  .map((sentence, i) => textOf(sentence).trim() + (i % 3 === 2 ? '\n\n' : ' '))
  .join('');

const parsing = ['corpus', '--quiet', '--model', model, '--shard-size', '1kB', '--jobs', '1'];
const parsed = (...words: readonly string[]) => runCli([...parsing, ...words]);
/** Runs a command that parses nothing, in this process and without threads. */
const corpus = (...words: readonly string[]) => runHere(['corpus', '--quiet', ...words]);

/** The files of an output folder, with a manifest without the figures that differ from run to run. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const content = readFileSync(join(parentPath, name), 'latin1');
      return [join(parentPath, name).slice(folder.length), content.replace(/"(seconds|ended)":[\d.]+/g, '')];
    }),
  );
}

/** The output of all shards, put together. */
function outputOf(folder: string): string {
  const names = readdirSync(join(folder, 'shards')).sort();
  return names
    .map((name) => gunzipSync(readFileSync(join(folder, 'shards', name))).toString('utf8'))
    .join('');
}

beforeAll(async () => {
  savePipeline(model, await makePipeline(Object.values(await smallModels())));
  await trainOnSample(parser, '--epochs', '1', '--bits', '14', '--limit', '100');
  mkdirSync(join(texts, 'more'), { recursive: true });
  writeFileSync(join(texts, 'a.txt'), `\ufeff${text}`);
  writeFileSync(join(texts, 'more', 'b.txt.gz'), gzipSync(text.slice(0, 3000)));
  writeFileSync(join(texts, 'notes.md'), 'Not a part.');
});

const one = sandbox.path('one');

describe('a corpus of text', () => {
  test('is parsed like a single file, except for the ids of documents and sentences', async () => {
    const { status, stdout, stderr } = parsed(...input, '-o', one, '--json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const figures = JSON.parse(stdout);
    expect(figures).toMatchObject({ before: 0, failed: [], withoutTree: 0, skipped: 0 });
    expect(figures.shards).toBeGreaterThan(6);
    const merged = sandbox.path('one.conllu');
    expect(await corpus('--merge', one, '-o', merged)).toMatchObject({ status: 0, stderr: '' });
    const all = readFileSync(merged, 'utf8');
    expect(all).toBe(outputOf(one));
    expect(all).not.toContain('\ufeff');
    const [, a = '', b = ''] = all.split('# newdoc id = ');
    expect(a.startsWith(`${texts}/a.txt\n`)).toBe(true);
    expect(b.startsWith(`${texts}/more/b.txt.gz\n`)).toBe(true);
    const ids = all.match(/^# sent_id = .*$/gm);
    expect(new Set(ids).size).toBe(figures.sentences);
    const whole = await runHere(['parse', '--quiet', '--model', model, join(texts, 'a.txt')]);
    const nameless = (conllu: string) => conllu.replace(/^# (generator|newdoc|sent_id).*\n/gm, '');
    expect(nameless(a.slice(a.indexOf('\n') + 1)) === nameless(whole.stdout)).toBe(true);
    expect((await corpus('--merge', one, '-o', `${merged}.gz`)).status).toBe(0);
    expect(gunzipSync(readFileSync(`${merged}.gz`)).toString('utf8') === all).toBe(true);
  });

  test('gives the same output in slices, in any order; --status shows what is left', async () => {
    const sliced = sandbox.path('sliced');
    expect(parsed(...input, '-o', sliced, '--shard', '2/2')).toMatchObject({ status: 0, stderr: '' });
    const { stdout } = await corpus('--status', sliced);
    expect(stdout).toMatch(/^\d+ shards of \d+ done by english\.model\n[\d,]+ sentences, [\d,]+ words\n/);
    expect(stdout).toMatch(/\n[\d,]+ words\/s, about [\d.]+ s left\n$/);
    const { stderr } = await corpus('--merge', sliced, '-o', sandbox.path('sliced.conllu'));
    expect(stderr).toMatch(/sliced: not all shards are finished: \d of \d+ are missing/);
    expect(parsed(...input, '-o', sliced, '--shard', '1/2').status).toBe(0);
    expect(contents(sliced)).toEqual(contents(one));
  });

  test('gives the same output after it was killed and resumed, with two threads', async () => {
    const folder = sandbox.path('killed');
    const args = [...parsing.with(-1, '2'), ...input, '-o', folder];
    const child = startCli(args);
    const shards = join(folder, 'shards');
    const finished = () => (existsSync(shards) ? readdirSync(shards).length : 0);
    while (child.process.exitCode === null && finished() < 3) await setTimeout(5);
    child.process.kill('SIGKILL');
    await child.ended();
    rmSync(join(shards, readdirSync(shards).find((name) => name.endsWith('.gz'))!));
    expect(runCli(args)).toMatchObject({ status: 0, stderr: '' });
    expect(contents(folder)).toEqual(contents(one));
  });

  test.each(['corpus.json', 'manifest.jsonl', 'shards/000001.conllu.gz'])(
    'is not merged into %s of its own folder',
    async (name) => {
      const before = contents(one);
      const { status, stderr } = await corpus('--merge', one, '-o', join(one, name));
      expect([status, stderr]).toEqual([2, expect.stringContaining('would replace the input')]);
      expect(contents(one)).toEqual(before);
    },
  );

  test('needs --input if it looks like CoNLL-U on standard input; without it no folder is created', async () => {
    const output = sandbox.path('sentences');
    const words = ['corpus', '--quiet', '--model', model, '-o', output, '-'];
    const { status, stderr } = await runHere(words, { input: sampleText('dev') });
    const problem = '-: its first lines look like CoNLL-U: expected --input conllu or --input text';
    expect([status, stderr]).toEqual([2, `parliament: error: ${problem}\n`]);
    expect(existsSync(output)).toBe(false);
  });

  test('is not parsed into a folder that was begun with other input, options or model', async () => {
    const refused = async (...words: string[]) => (await corpus('-o', one, ...words)).stderr;
    const a = join(texts, 'a.txt');
    expect(await refused('--model', model, a)).toMatch(
      /one was begun with another value of --shard-size \(1000\)/,
    );
    expect(await refused('--shard-size', '1KB', '--model', model, '--input', 'lines', ...input)).toMatch(
      /one was begun with no --input: name another folder/,
    );
    expect(await refused('--shard-size', '1kB', '--no-gzip', '--model', model, ...input)).toMatch(
      /one was begun without --no-gzip: name another folder/,
    );
    const other = ['--model', parser, '--input', 'conllu', samplePath('dev')];
    expect(await refused(...other)).toMatch(
      /one was begun with another model, english\.model: name another folder/,
    );
    const changed = sandbox.save('changed.txt', text.replaceAll('a', 'o'));
    const { status, stderr } = parsed(changed, '-o', one);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(
        /changed\.txt: it has changed, or is not the input at this place, since .*one was begun/,
      ),
    ]);
  });
});

/** Its native code is not built for every platform; the type check does not look for a package named by a variable. */
const duckdbName: string = '@duckdb/node-api';
const duckdb = await import(duckdbName).catch(() => undefined);

needs('@duckdb/node-api', duckdb !== undefined).describe('Parquet in DuckDB', () => {
  const [conllu, folder] = [sandbox.path('tables.conllu'), sandbox.path('tables')];
  let query: (sql: string) => Promise<unknown[][]>;

  beforeAll(async () => {
    expect(parsed(...input, '-o', folder, '--to', 'parquet')).toMatchObject({ status: 0, stderr: '' });
    await corpus('--merge', one, '-o', conllu);
    const connection = await (await duckdb.DuckDBInstance.create()).connect();
    query = async (sql) => (await connection.runAndReadAll(sql.replaceAll('parsed', folder))).getRowsJson();
  });

  test('has the sentences, words, tags and labels of the CoNLL-U', async () => {
    const stats = JSON.parse((await runHere(['stats', '--json', conllu])).stdout);
    const table = "FROM 'parsed/shards/*.parquet'";
    const [all] = await query(`SELECT count(DISTINCT sentence)::INT, count(*)::INT ${table}`);
    expect(all).toEqual([stats.sentences, stats.tokens]);
    const counts = async (column: string) =>
      Object.fromEntries(await query(`SELECT ${column}, count(*)::INT ${table} GROUP BY ALL`));
    for (const [column, name] of Object.entries({ upos: 'upos', deprel: 'labels' })) {
      const expected = stats[name].map(({ value, count }: { value: string; count: number }) => [
        value,
        count,
      ]);
      expect(await counts(column)).toEqual(Object.fromEntries(expected));
    }
  });

  test('answers the query of the documentation, also if files have sentences with the same ids', async () => {
    const nameless = readFileSync(conllu, 'utf8').replace(/^# newdoc.*\n/gm, '');
    const copies = ['x', 'y'].map((name) => sandbox.save(`${name}.conllu`, nameless));
    expect(parsed(...copies, '-o', sandbox.path('twice'), '--to', 'parquet').status).toBe(0);
    const arcs = readSentences(readFileSync(conllu, 'utf8')).flatMap(({ lemmas, labels, heads }) =>
      [...lemmas.keys()]
        .slice(1)
        .map((d) => ({ lemma: lemmas[d]!, label: labels[d], head: lemmas[heads[d]!] })),
    );
    const { label, head } = arcs.find((arc) => arc.head)!;
    const expected = new Map<string, number>();
    for (const arc of arcs)
      if (arc.label === label && arc.head === head)
        expected.set(arc.lemma, (expected.get(arc.lemma) ?? 0) + 1);
    const page = readFileSync(join(packageFolder, 'docs', 'corpora.md'), 'utf8');
    const [, sql = ''] = /```sql\n([^`]*)```/.exec(page) ?? [];
    const asked = sql.replace("'nsubj'", `'${label}'`).replace("'bark'", `'${head}'`);
    for (const [name, times] of [
      ['tables', 1],
      ['twice', 2],
    ] as const) {
      const found = await query(asked.replaceAll('parsed', sandbox.path(name)));
      const counts = found.map(([lemma, n]) => [lemma, Number(n) / times] as const);
      expect(new Map(counts)).toEqual(expected);
    }
  });
});

test('the commands of the documentation work', () => {
  const page = readFileSync(join(packageFolder, 'docs', 'corpora.md'), 'utf8');
  const all = page.match(/(?<=^(?:\$ )?)parliament corpus .*/gm)!;
  // The command with a queue has its own test with a server (test/corpus/queue.test.ts).
  const commands = all.filter((command) => !command.includes('--queue'));
  expect([all.length, commands.length]).toEqual([5, 4]);
  const program = `parliament() { '${process.execPath}' '${cliPath}' "$@" --quiet; }`;
  const env = { ...process.env, SLURM_ARRAY_TASK_ID: '16' };
  const script = [program, 'gzip -k texts/a.txt', 'set -e', ...commands].join('\n');
  const options = { cwd: sandbox.folder, env, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('bash', ['-c', script], options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(gunzipSync(readFileSync(sandbox.path('parsed.conllu.gz'))).toString()).toBe(
    outputOf(sandbox.path('parsed')),
  );
});

describe('other input', () => {
  test('JSON Lines give one document per line, with its id', () => {
    const lines = [{ id: 'first one', body: 'The dogs bark.' }, { body: 'Nobody\n\nknows why.' }].map(
      (line) => JSON.stringify(line),
    );
    const file = sandbox.save('in.jsonl', lines.join('\n'));
    const out = sandbox.path('jsonl');
    expect(parsed(file, '--field', 'body', '-o', out)).toMatchObject({ status: 0, stderr: '' });
    const documents = outputOf(out).match(/^# newdoc.*$/gm);
    expect(documents).toEqual(['# newdoc id = first one', `# newdoc id = ${file}@${lines[0]!.length + 1}`]);
  });

  test('CoNLL-U from standard input is parsed by a parser alone and written as JSON Lines', async () => {
    const out = sandbox.path('json');
    const words = [
      '--model',
      parser,
      '--input',
      'conllu',
      '--shard-size',
      '2kB',
      '--to',
      'jsonl',
      '--no-gzip',
    ];
    const { status, stderr } = runCli(['corpus', '--quiet', ...words, '-o', out, '-'], {
      input: sampleText('dev'),
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const merged = sandbox.path('merged.jsonl');
    expect((await corpus('--merge', out, '-o', merged)).status).toBe(0);
    const back = (await runHere(['convert', merged, '-', '--to', 'conllu'])).stdout;
    const whole = await runHere(['parse', '--quiet', '--model', parser, samplePath('dev')]);
    expect(back.replace('# newdoc id = -\n', '') === whole.stdout).toBe(true);
  });
});

test('a pipe does not count as an empty file', () => {
  const command = `'${process.execPath}' '${cliPath}' corpus --model '${parser}' --input conllu --jobs 1`;
  const script = `${command} <(cat '${samplePath('dev')}') -o '${sandbox.path('piped')}'`;
  const { status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    0,
    expect.stringMatching(/^parliament: note: .*piped: 1 shard done; .*\n$/),
  ]);
});

describe('parliament corpus', () => {
  test('reports a shard that fails with file and byte, leaves it out, and parses the rest', async () => {
    const bytes = Buffer.from(text);
    const at = bytes.indexOf('\n\n', 2000) + 6;
    bytes[at] = 0xff;
    const file = sandbox.save('bad.txt', bytes);
    const out = sandbox.path('bad');
    const { status, stdout, stderr } = parsed(file, '-o', out, '--json');
    const problem = `${file}, byte ${at}: byte 0xFF is not valid UTF-8: convert the file to UTF-8`;
    expect([status, stderr]).toEqual([1, expect.stringContaining(problem)]);
    expect(stderr).toMatch(/1 shard left out: run the same command to try again; /);
    const { failed, shards } = JSON.parse(stdout);
    expect(failed).toEqual([expect.objectContaining({ attempts: 1 })]);
    expect(readdirSync(join(out, 'shards'))).toHaveLength(shards - 1);
    expect((await corpus('--status', out)).stdout).toContain(problem);
  });

  test('counts malformed sentences that are skipped', async () => {
    const file = sandbox.save('malformed.conllu', `1\tDogs\n\n${sampleText('dev')}`);
    const words = ['--model', parser, file, '-o', sandbox.path('skipped'), '--skip-invalid'];
    expect(runCli(['corpus', ...words]).stderr).toMatch(/skipped: 1 malformed sentence left out/);
  });

  test('reports damaged output, and parses it again once it is deleted', async () => {
    const out = sandbox.path('damaged');
    parsed(samplePath('dev'), '-o', out, '--no-gzip');
    const shard = join(out, 'shards/000002.conllu');
    writeFileSync(shard, readFileSync(shard, 'utf8').replace('sample', 'SAMPLE'));
    const merged = () => corpus('--merge', out, '-o', sandbox.path('whole.conllu'));
    expect((await merged()).stderr).toMatch(/000002\.conllu: damaged: delete it, and parse .* again/);
    rmSync(shard);
    parsed(samplePath('dev'), '-o', out, '--no-gzip');
    expect((await merged()).status).toBe(0);
  });

  test('refuses options that contradict the model or the input', async () => {
    const out = sandbox.path('refused');
    const untagged = sandbox.save(
      'in.conllu',
      sampleText('dev').replace(/^(\d+\t\S+\t\S+)\t\S+\t\S+/gm, '$1\t_\t_'),
    );
    const { status, stderr } = runCli(['corpus', '--model', parser, untagged, '-o', out]);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/in\.conllu.*: no .*add --allow-missing/)]);
    const refused = async (...words: string[]) => (await corpus('-o', out, ...words)).stderr;
    const a = join(texts, 'a.txt');
    expect(await refused('--model', parser, a)).toMatch(/parser\.model has no tokenizer.*not .*a\.txt/);
    expect(await refused('--model', model, a, '--keep', 'tags')).toMatch(/--keep is for CoNLL-U/);
    expect(await refused('--model', model, sandbox.path('nowhere'))).toMatch(/nowhere: cannot be read/);
    expect(await refused('--model', model, sandbox.folder)).toMatch(/refused lies in the input/);
    const list = sandbox.save('list.txt', `${sandbox.folder}\n`);
    expect(await refused('--model', model, '--files-from', list)).toMatch(/refused lies in the input/);
    symlinkSync(texts, sandbox.path('link'));
    const into = async (input: string, output: string) =>
      (await corpus('--model', model, sandbox.path(input), '-o', sandbox.path(output))).stderr;
    expect(await into('link', 'texts/new/out')).toMatch(/new\/out lies in the input .*link\n/);
    expect(await into('texts', 'link/out')).toMatch(/link\/out lies in the input .*texts\n/);
    expect(await into('texts', 'texts/..out')).toMatch(/\.\.out lies in the input/);
    expect(await refused('--model', model, a, '--timeout', '2147484')).toMatch(/from 1 to 2147483\.\n/);
    expect(await refused('--model', model, a, '--include', '*.txt')).toMatch(/no input is a folder/);
    expect(await refused('--model', model, a, '--field', 'body')).toMatch(/--field is for JSON Lines/);
    expect(await refused('--model', model, a, '--store', out)).toMatch(/--store belongs to --queue/);
    expect(await refused('--model', model, a, '--shard', '17/16')).toMatch(/such as 3\/16/);
    expect((await corpus('--status', texts)).stderr).toMatch(/texts: no corpus\.json/);
  });

  test('refuses input of nothing but white space, and counts empty files', async () => {
    const blank = sandbox.path('blank');
    mkdirSync(blank);
    writeFileSync(join(blank, 'a.txt'), ' \n\n');
    writeFileSync(join(blank, 'b.txt'), '');
    const out = sandbox.path('blank-out');
    const { status, stderr } = await runHere(['corpus', '--model', model, blank, '-o', out, '--jobs', '1']);
    expect(status).toBe(2);
    expect(stderr).toContain('note: 1 of 2 files empty\n');
    expect(stderr).toContain(`error: ${blank}: no text, but white space\n`);
    expect(existsSync(out)).toBe(false);
  });

  test.each([
    [['a.txt'], 'input'],
    [['--model', 'english.model'], '--model'],
    [['--to', 'jsonl'], '--to'],
    [['--no-gzip'], '--no-gzip'],
    [['--shard', '1/2'], '--shard'],
    [['--keep', 'tags'], '--keep'],
  ])('refuses %s with --status and --merge, on which it would have no effect', async (words, name) => {
    const said = async (...all: string[]) => (await corpus(...all, ...words)).stderr;
    const expected = `takes an output folder: expected no ${name}\n`;
    expect(await said('--status', one)).toContain(`--status ${expected}`);
    expect(await said('--merge', one, '-o', sandbox.path('no'))).toContain(`--merge ${expected}`);
    expect(existsSync(sandbox.path('no'))).toBe(false);
  });
});
