import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { CorpusFolder, type CorpusSettings } from '../../corpus/folder.ts';
import { corpusInputs } from '../../corpus/inputs.ts';
import { type RunOptions, runShards } from '../../corpus/run.ts';
import { shardsOf } from '../../corpus/shards.ts';
import { corpusStatus, mergeShards } from '../../corpus/status.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('corpus-run');

/** A thread that writes shards in capitals; a shard whose text names a trouble causes it every time, or only once. */
const worker = pathToFileURL(
  sandbox.save(
    'worker.mjs',
    `import { existsSync, writeFileSync } from 'node:fs';
    import { setTimeout } from 'node:timers/promises';
    import { parentPort } from 'node:worker_threads';
    import { workerData } from '${import.meta.resolve('piscina')}';
    const troubles = {
      late: () => setTimeout(60_000),
      lost: () => process.exit(1),
      broken: () => { throw new Error('out of order'); },
    };
    if (workerData.loading !== undefined) await setTimeout(workerData.loading);
    export default async function parse({ bytes, task }) {
      parentPort.postMessage(task);
      const text = Buffer.from(bytes).toString();
      const [, trouble, once] = /(late|lost|broken)( once)?/.exec(text) ?? [];
      const mark = workerData.folder + '/' + trouble;
      if (trouble !== undefined && !(once && existsSync(mark))) {
        writeFileSync(mark, '');
        await troubles[trouble]();
      }
      await setTimeout(5 * Math.random());
      const words = text.split(/\\s+/).length - 1;
      return { bytes: Buffer.from(text.toUpperCase()), sentences: 1, words, skipped: 0, withoutTree: 0, warnings: [] };
    }`,
  ),
);

const settings: CorpusSettings = {
  version: '1',
  model: { name: 'm', digest: 'd' },
  options: {
    ...{ to: 'conllu', isCompressed: false, field: 'text', keep: [], shardSize: 20 },
    ...{ confidence: false, skipInvalid: false, allowMissing: false },
  },
};

async function run(
  name: string,
  paragraphs: readonly string[],
  options: Partial<RunOptions> = {},
  loading?: number,
) {
  const inputs = await corpusInputs([
    sandbox.save(`${name}.txt`, paragraphs.map((one) => `${one}\n\n`).join('')),
  ]);
  const folder = await CorpusFolder.begin(sandbox.path(name), settings);
  const data = { folder: sandbox.folder, loading };
  const figures = await runShards(
    folder,
    shardsOf(inputs, 20),
    { file: worker, data },
    { jobs: 2, ...options },
  );
  return { ...figures, files: readdirSync(`${sandbox.path(name)}/shards`).sort() };
}

const paragraphs = (count: number) => Array.from({ length: count }, (_, i) => `Paragraph number ${i}.`);

describe('a thread', () => {
  test.each([
    ['lost', 'Worker thread ended|exited|terminated'],
    ['broken', 'out of order'],
    ['late', 'not finished in 4 s'],
  ])('leaves its shard to another thread if it fails once (%s)', async (trouble, reason) => {
    const warnings: string[] = [];
    const all = [...paragraphs(4), `This one is ${trouble} once.`, ...paragraphs(3)];
    const { failed, files } = await run(`once-${trouble}`, all, {
      timeout: trouble === 'late' ? 4 : 60,
      onWarning: (warning) => warnings.push(warning),
    });
    expect(warnings).toEqual([expect.stringMatching(/, byte 84: .*; shard 5 is tried again$/)]);
    expect(warnings[0]).toMatch(new RegExp(reason, 'i'));
    expect([failed, files]).toEqual([[], expect.objectContaining({ length: 8 })]);
  });

  test('may take longer to load its model than the time limit for a shard', async () => {
    const warnings: string[] = [];
    const onWarning = (warning: string) => warnings.push(warning);
    const { failed } = await run('loading', paragraphs(2), { timeout: 2, onWarning }, 2500);
    expect([failed, warnings]).toEqual([[], []]);
  });

  test('has its shard left out if it fails every time; running the command again tries it again', async () => {
    const all = [...paragraphs(2), 'This one is broken.', ...paragraphs(2)];
    const first = await run('always', all);
    expect(first.failed).toMatchObject([
      { shard: 3, attempts: 2, failed: { problem: 'out of order', byte: 42 } },
    ]);
    expect(first.files).toHaveLength(4);
    expect(await run('always', all)).toMatchObject({ shards: 5, before: 4, failed: [{ shard: 3 }] });
    expect(corpusStatus(sandbox.path('always'))).toMatchObject({ done: 4, total: 5, isExact: true });
  });
});

describe('an input that has changed since the first run', () => {
  const refused =
    /it has changed, or is not the input at this place, since .* was begun: name another folder/;
  const merged = (name: string) => mergeShards(sandbox.path(name), sandbox.path(`${name}.conllu`));

  test('is refused before anything is parsed, in every slice, if a shard ends elsewhere', async () => {
    const all = ['This one is broken.', ...paragraphs(4)];
    await run('longer', all);
    const longer = ['This is a long one.', 'And whole.', ...paragraphs(4)];
    for (const slice of [undefined, { part: 1, of: 2 }])
      await expect(run('longer', longer, { jobs: 1, slice })).rejects.toThrow(refused);
    expect(corpusStatus(sandbox.path('longer'))).toMatchObject({ done: 4, failed: [{ shard: 1 }], total: 5 });
    await expect(merged('longer')).rejects.toThrow('not all shards are finished: 1 of 5 are missing');
  });

  test('is parsed by the same command if all shards stay in place', async () => {
    await run('mended', ['This one is broken.', ...paragraphs(4)]);
    expect(await run('mended', ['This one is a whole', ...paragraphs(4)])).toMatchObject({
      before: 4,
      failed: [],
    });
    expect(await merged('mended')).toMatchObject({ shards: 5 });
  });

  test('is refused if the number of shards differs, and finished shards are kept', async () => {
    await run('fewer', [...paragraphs(2), 'This one is broken.', 'This one is broken.']);
    const fewer = [...paragraphs(2), 'This one is whole.'];
    await expect(run('fewer', fewer)).rejects.toThrow(
      /number of shards \(3\) than when it was first read \(4\): name another folder/,
    );
    expect(corpusStatus(sandbox.path('fewer'))).toMatchObject({
      done: 2,
      failed: [{ shard: 3 }, { shard: 4 }],
    });
    await run('more', paragraphs(2));
    const more = run('more', [...paragraphs(2), 'This one is broken.']);
    await expect(more).rejects.toThrow(
      'has more shards than when it was first read (2): name another folder',
    );
    expect(await merged('more')).toMatchObject({ shards: 2 });
  });

  test('is refused if its file has another name', async () => {
    await run('named', paragraphs(2));
    const input = sandbox.save('renamed.txt', sandbox.read('named.txt'));
    const shards = shardsOf(await corpusInputs([input]), 20);
    const folder = CorpusFolder.open(sandbox.path('named'));
    const again = runShards(folder, shards, { file: worker, data: {} }, { jobs: 1 });
    await expect(again).rejects.toThrow(refused);
  });

  test('is not merged if it changed between the slices', async () => {
    const first = await run('states', paragraphs(3), { slice: { part: 1, of: 2 } });
    expect(first.failed).toEqual([]);
    const records = sandbox.read('states/manifest.jsonl');
    await run('other', ['Short.', 'The second one is long.', ...paragraphs(1)], {
      slice: { part: 0, of: 2 },
    });
    sandbox.save('states/manifest.jsonl', records.replace('\n', `\n${sandbox.read('other/manifest.jsonl')}`));
    await expect(merged('states')).rejects.toThrow(
      'shard 2 does not begin where shard 1 ends, for the input has changed: parse it into another folder',
    );
  });
});

test('sixteen slices in any order write the same folder as one run', async () => {
  const all = paragraphs(40);
  const { files } = await run('whole', all);
  const parts = [5, 11, 3, 16, 8, 14, 1, 9, 6, 13, 2, 15, 4, 10, 7, 12];
  const slices = parts.map((part) => run('slices', all, { jobs: 1, slice: { part, of: 16 } }));
  const shards = (await Promise.all(slices)).map((slice) => slice.shards);
  expect(shards.reduce((sum, count) => sum + count)).toBe(40);
  const output = (name: string) => files.map((file) => sandbox.read(`${name}/shards/${file}`));
  expect(output('slices')).toEqual(output('whole'));
  const manifest = (name: string) =>
    sandbox.read(`${name}/manifest.jsonl`).replace(/"(seconds|ended)":[\d.]+/g, '');
  expect(manifest('slices').replaceAll('slices', 'whole')).toBe(manifest('whole'));
  expect(readdirSync(sandbox.path('slices/records'))).toEqual([]);
});

test('a corpus without shards is merged into an empty file', async () => {
  await run('empty', []);
  const output = sandbox.path('empty.conllu.gz');
  expect(await mergeShards(sandbox.path('empty'), output)).toMatchObject({ shards: 0, sentences: 0 });
  expect(gunzipSync(readFileSync(output))).toHaveLength(0);
});

test('if two processes find different numbers of shards, the second is refused', async () => {
  const [first, second] = [
    await CorpusFolder.begin(sandbox.path('two'), settings),
    await CorpusFolder.begin(sandbox.path('two'), settings),
  ];
  await first.saveShards(5);
  await expect(second.saveShards(4)).rejects.toThrow(
    'another number of shards (4) than when it was first read (5)',
  );
});

test('records are read in order, and those beside the manifest replace those in it', async () => {
  const folder = await CorpusFolder.begin(sandbox.path('records'), settings);
  const record = (shard: number, words: number) => `${JSON.stringify({ shard, words })}\n`;
  sandbox.save('records/manifest.jsonl', [1, 3, 4, 6].map((shard) => record(shard, 1)).join(''));
  for (const shard of [2, 3, 7]) sandbox.save(`records/records/00000${shard}.json`, record(shard, 2));
  const found = [...folder.records()] as { shard: number; words?: number }[];
  expect(found.map(({ shard, words }) => `${shard}:${words}`).join(' ')).toBe('1:1 2:2 3:2 4:1 6:1 7:2');
  // Earlier versions recorded shards of a longer input before they refused it; these records are ignored.
  await folder.saveShards(6);
  expect([...folder.records()].map(({ shard }) => shard)).toEqual([1, 2, 3, 4, 6]);
});

test('a shard whose record is damaged is parsed again; damaged settings are refused', async () => {
  const all = paragraphs(4);
  await run('damaged', all);
  const lines = sandbox.read('damaged/manifest.jsonl').split('\n');
  lines[2] = lines[2]!.slice(0, 30);
  sandbox.save('damaged/manifest.jsonl', lines.join('\n'));
  expect(corpusStatus(sandbox.path('damaged'))).toMatchObject({ done: 3, total: 4 });
  expect(await run('damaged', all)).toMatchObject({ shards: 4, before: 3, failed: [] });
  expect(corpusStatus(sandbox.path('damaged'))).toMatchObject({ done: 4 });
  sandbox.save('damaged/corpus.json', '{}');
  await expect(run('damaged', all)).rejects.toThrow('corpus.json: damaged: not the settings of a corpus');
});

test('a run that is stopped keeps the shards it has finished, and leaves no lock', async () => {
  const controller = new AbortController();
  const onProgress = ({ done }: { done: number }) => {
    if (done === 5) controller.abort(new DOMException('stopped', 'AbortError'));
  };
  const stopped = run('stopped', paragraphs(40), { signal: controller.signal, onProgress });
  await expect(stopped).rejects.toThrow('stopped');
  const { done, failed, total, isExact } = corpusStatus(sandbox.path('stopped'));
  expect([failed, isExact, done >= 5 && done < 40]).toEqual([[], false, true]);
  expect(total).toBeGreaterThanOrEqual(done);
  expect(await run('stopped', paragraphs(40))).toMatchObject({ shards: 40, before: done, failed: [] });
  expect(existsSync(`${sandbox.path('stopped')}/manifest.jsonl.lock`)).toBe(false);
});
