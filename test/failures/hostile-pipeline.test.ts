/** A pipeline file with valid checksums may hold anything: it is either refused in one line or makes trees. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { makePipeline } from '../../combine/pipeline/make-pipeline.ts';
import { openPipeline, savePipeline } from '../../combine/pipeline/saved-pipeline.ts';
import { trainParser } from '../../combine/train-parser.ts';
import { InputError } from '../../src/errors.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import { isTree } from '../../src/treebank/tree.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { Sandbox } from '../support/sandbox.ts';
import { inflected, smallModels } from '../support/small-pipeline.ts';

const sandbox = new Sandbox('hostile-pipeline');
const kinds = ['plain', 'weights by tag', 'arc model'] as const;
const whole = {} as Record<(typeof kinds)[number], ModelReader>;

beforeAll(async () => {
  const { tokenizer, tagger, lemmatizer, parser } = await smallModels();
  const { parser: other, about } = await trainParser('graph', inflected('dev'), {
    options: { epochs: 1, bits: 12 },
  });
  const all = [tokenizer, tagger, lemmatizer, parser];
  const several = [...all, { parser: other, about }];
  const dev = inflected('dev');
  const made = [
    await makePipeline(all),
    await makePipeline(several, { dev, weighting: 'tag', singleRoot: true }),
    await makePipeline(several, { dev, weighting: 'learnt', method: 'reparse-eisner' }),
  ];
  for (const [i, kind] of kinds.entries()) {
    savePipeline(sandbox.path(kind), made[i]);
    whole[kind] = readModelFile(sandbox.path(kind));
  }
});

/** The paths of all values in a JSON value; of a list, only those of the first two items and the last. */
function paths(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const all = Object.entries(value);
  const some = Array.isArray(value) ? [...all.slice(0, 2), ...all.slice(-1)] : all;
  return [path, ...some.flatMap(([name, one]) => paths(one, [...path, name]))];
}

const values = [
  undefined,
  null,
  0,
  -1,
  1e9,
  0.5,
  '',
  'x',
  'parser-1',
  true,
  [],
  {},
  [0, 0],
  ['tagger', 'tagger'],
  { a: 1 },
];

function withChange(model: ModelReader, path: readonly string[], value: unknown): ModelReader {
  const header = structuredClone(model.header) as Record<string, unknown>;
  let at = header;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  at[path.at(-1)!] = value;
  const writer = new ModelWriter();
  // The header contains the headers of the parts; the sections of parts have the part's name before theirs.
  Object.assign(writer.header, header);
  for (const [name, numbers] of model.sections()) writer.section(name, numbers);
  for (const part of model.partNames) {
    for (const [name, numbers] of model.part(part).sections()) writer.section(`${part}/${name}`, numbers);
  }
  return ModelReader.fromBuffer(modelBuffer(writer), 'x.model');
}

test.each(kinds)(
  '%s: with any value in any header field the pipeline is refused in one line or makes trees',
  async (kind) => {
    const model = whole[kind];
    const { parts: _, ...own } = model.header;
    const all = [...paths(own), ...model.partNames.map((name) => ['parts', name]), ['parts']].filter(
      ({ length }) => length > 0,
    );
    const change = fc.tuple(fc.constantFrom(...all), fc.constantFrom(...values));
    await fc.assert(
      fc.asyncProperty(change, async ([path, value]) => {
        try {
          const pipeline = await openPipeline(withChange(model, path, value));
          if (pipeline.tokenizer === undefined || pipeline.parser === undefined) return;
          for (const { heads } of pipeline.parse('The dogs bark. Nobody knows why.')) {
            expect(isTree(heads)).toBe(true);
          }
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          expect(error.message).toMatch(/^x\.model: [^\n]{1,300}$/);
        }
      }),
      { numRuns: 40 },
    );
  },
);

test('a header that names a part thousands of times is refused quickly', async () => {
  const model = withChange(whole.plain, ['pipeline'], new Array(20_000).fill('tokenizer'));
  const before = performance.now();
  await expect(openPipeline(model)).rejects.toThrow(
    new InputError('header field pipeline: names a part twice', { file: 'x.model' }),
  );
  // This once took 13 seconds.
  expect(performance.now() - before).toBeLessThan(6000);
});

test.each([
  [
    'weights by tag',
    ['weighting', 'weights', 'overall'],
    [1],
    'header field weighting.weights.overall: expected a weight of each of 2 members, one above 0, not [1]',
  ],
  [
    'weights by tag',
    ['weighting', 'members'],
    [0, 2],
    'header field weighting.members: expected some of 2 members, each once, not [0,2]',
  ],
  [
    'weights by tag',
    ['vote', 'method'],
    'x',
    'header field vote.method: expected one of superparser, reparse-cle, reparse-eisner, not "x"',
  ],
  [
    'arc model',
    ['weighting', 'model', 'identities'],
    [0],
    'header field weighting.model.identities: expected a number of each of 2 members, not [0]',
  ],
  ['plain', ['pipeline'], ['tagger', 'tagger'], 'x.model: header field pipeline: names a part twice'],
] as const)('%s: %j = %j is refused with a line that names the field', async (kind, path, value, message) => {
  await expect(openPipeline(withChange(whole[kind], path, value))).rejects.toThrow(message);
});
