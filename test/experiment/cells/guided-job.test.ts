import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { trainStacked } from '../../../combine/stack/train-stacked.ts';
import { CellCache } from '../../../experiment/cells/cell-cache.ts';
import { runJob } from '../../../experiment/cells/run-job.ts';
import { jobName, type ParserJob, type Selection } from '../../../experiment/jobs/job.ts';
import type { CellResult } from '../../../experiment/jobs/job-result.ts';
import { programOf } from '../../../experiment/jobs/program.ts';
import { findParadigm } from '../../../parsers/registry.ts';
import { evaluate } from '../../../src/evaluate/evaluate.ts';
import { fileDigest } from '../../../src/files/files.ts';
import type { TreebankPart } from '../../../src/treebank/catalogue.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import { FirstSentences } from '../../../src/treebank/treebanks.ts';
import { collect } from '../../support/collect.ts';
import { samplePath } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { treebank } from '../../support/sentences.ts';

const sandbox = new Sandbox('guided-job');
const cache = await CellCache.open(sandbox.path('cache'));

async function selection(part: TreebankPart, to: number): Promise<Selection> {
  const path = samplePath(part);
  return { path, digest: await fileDigest(path), encoding: 'utf-8', from: 0, to };
}

async function optionsOf(name: string, changes: object) {
  return (await findParadigm(name)).options.parse(changes) as Record<string, unknown>;
}

const stacking = { guides: [{ parser: 'bigram', options: await optionsOf('bigram', {}) }], folds: 2 };

async function job(changes: Partial<ParserJob>): Promise<ParserJob> {
  const work = { kind: 'parser' as const, paradigm: 'graph', ...changes };
  return {
    ...{ ...work, program: programOf(work), options: await optionsOf('graph', { bits: 14, epochs: 1 }) },
    ...{ seed: 1, train: await selection('train', 20), test: await selection('dev', 20), ...changes },
  };
}

async function run(one: ParserJob) {
  await cache.writeJob(jobName(one), one);
  return (await runJob(jobName(one), { cache, cores: 1 })) as CellResult;
}

it('a guided cell has the scores of trainStacked, and keeps its guides and folds in the cache', async () => {
  const { scores } = await run(await job({ stacking }));
  const learn = new FirstSentences(await openTreebank(samplePath('train')), 20);
  const { parser } = await trainStacked('graph', learn, {
    ...{ options: await optionsOf('graph', { bits: 14, epochs: 1 }), stacking },
  });
  const gold = (await collect(await openTreebank(samplePath('dev')))).slice(0, 20);
  const predicted = gold.map((sentence) => ({ ...sentence, ...parser.parse(sentence) }));
  const { uas, las } = await evaluate(treebank('gold', ...gold), treebank('predicted', ...predicted));
  expect(scores.include).toMatchObject({ uas, las });
  const guides = join(cache.folder, 'guides');
  expect(existsSync(guides) && readdirSync(guides)).toHaveLength(3);
});

it('the code digest of a guided job covers guide and parser, and its name depends on guides and folds', async () => {
  const code = (parser: string) =>
    programOf({ kind: 'parser', paradigm: 'graph', stacking: { guides: [{ parser }] } }).code;
  expect(
    new Set([code('bigram'), code('transition'), programOf({ kind: 'parser', paradigm: 'graph' }).code]).size,
  ).toBe(3);
  const jobs = [{}, { stacking }, { stacking: { ...stacking, folds: 3 } }, { morphology: 'none' as const }];
  const names = await Promise.all(jobs.map(async (changes) => jobName(await job(changes))));
  expect(new Set(names).size).toBe(4);
});
