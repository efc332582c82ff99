import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CorpusFolder, type CorpusSettings } from '../../corpus/folder.ts';
import { claim } from '../../src/files/lock.ts';
import { replaceBuiltin } from '../support/replace-builtin.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('corpus-folder');

/** What another process does before a file is replaced. */
let meanwhile = (_: fs.PathLike) => {};
const { renameSync } = fs;
replaceBuiltin(fs, 'renameSync', (from, to) => {
  meanwhile(to);
  renameSync(from, to);
});

const settingsOf = (model: string): CorpusSettings => ({
  version: '1',
  model: { name: model, digest: model },
  options: {
    ...{ to: 'conllu', isCompressed: false, field: 'text', keep: [], shardSize: 20 },
    ...{ confidence: false, skipInvalid: false, allowMissing: false },
  },
});
const begin = (name: string, model = 'm') => CorpusFolder.begin(sandbox.path(name), settingsOf(model));

test('if two processes begin a folder at once with different settings, one is refused', async () => {
  const begun = await Promise.allSettled([begin('new', 'a'), begin('new', 'b')]);
  expect(begun.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const one = begun.find((each) => each.status === 'fulfilled')!;
  expect(CorpusFolder.open(sandbox.path('new')).settings.model).toEqual(one.value.settings.model);
});

test('a process waits while another saves its settings, and is refused if its own differ', async () => {
  fs.mkdirSync(sandbox.path('slow'));
  const other = claim(sandbox.path('slow/corpus.json'))!;
  const refused = expect(begin('slow', 'b')).rejects.toThrow('was begun with another model, a');
  await setTimeout(100);
  sandbox.save('slow/corpus.json', JSON.stringify(settingsOf('a')));
  other.release();
  await refused;
});

test('a process waits while another saves the number of shards, and is refused if its own differs', async () => {
  const folder = await begin('counted');
  const other = claim(sandbox.path('counted/corpus.json'))!;
  const refused = expect(folder.saveShards(4)).rejects.toThrow('another number of shards (4)');
  await setTimeout(100);
  sandbox.save('counted/corpus.json', JSON.stringify({ ...folder.settings, shards: 5 }));
  other.release();
  await refused;
});

test('a record that another process replaces while the manifest is written is kept', async () => {
  const folder = await begin('retried');
  sandbox.save('retried/records/000001.json', '{"shard":1}\n');
  sandbox.save('retried/records/000007.json', '{"shard":7,"failed":{}}\n');
  const done = '{"shard":7,"words":1}\n';
  meanwhile = (path) => {
    if (path === sandbox.path('retried/manifest.jsonl')) sandbox.save('retried/records/000007.json', done);
  };
  await folder.writeManifest();
  expect(fs.readdirSync(sandbox.path('retried/records'))).toEqual(['000007.json']);
  expect([...folder.records()]).toEqual([{ shard: 1 }, { shard: 7, words: 1 }]);
  meanwhile = () => {};
  await folder.writeManifest();
  expect(fs.readdirSync(sandbox.path('retried/records'))).toEqual([]);
  expect([...folder.records()]).toEqual([{ shard: 1 }, { shard: 7, words: 1 }]);
});
