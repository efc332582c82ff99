import { describe, expect, test } from 'vitest';
import { type TrainParserOptions, trainParser } from '../../combine/train-parser.ts';
import { findParadigm, openParser, writeParser } from '../../parsers/registry.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import type { Origin } from '../../src/training/training-run.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { inMemory, openTreebanks } from '../../src/treebank/treebanks.ts';
import { collect } from '../support/collect.ts';
import { KeptCheckpoint } from '../support/kept-checkpoint.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { samplePath } from '../support/sample.ts';
import { sentence } from '../support/sentences.ts';
import { vectorFile } from '../support/vector-file.ts';

const [old, others] = (await Promise.all(
  (['train', 'test'] as const).map(async (part) =>
    collect(await openTreebanks([samplePath(part)], { limit: 12 })),
  ),
)) as [Sentence[], Sentence[]];

const marked = (texts: readonly string[]) => texts.map((text) => text && `${text}:new`);
const fresh = inMemory(
  others.map((one) => ({ ...one, labels: marked(one.labels) })),
  'new',
);
/** With different labels for every position in a sentence: many more labels than before. */
const manyLabels = inMemory(
  others.map((one) => ({ ...one, labels: one.labels.map((label, d) => label && `${label}${d}`) })),
  'many',
);
const treebank = inMemory(old, 'old');

const small = { bits: 14, epochs: 5 };
/** Options of a small parser of each kind. */
const kinds = {
  network: { units: 16, layers: 1, epochs: 4 },
  graph: small,
  'graph of projective trees': { ...small, decoder: 'eisner', order: 2 },
  'transition with a beam': { ...small, beam: 2, direction: 'right-to-left' },
  'transition with dynamic oracle': { ...small, beam: 1, oracle: 'dynamic' },
  'transition with mira': { ...small, beam: 1, learner: 'mira' },
} as const;
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];
const paradigmOf = (kind: Kind) => kind.split(' ')[0];

async function trained(kind: Kind, data: Treebank, run: TrainParserOptions): Promise<ModelReader> {
  const { parser, about } = await trainParser(await findParadigm(paradigmOf(kind)), data, run);
  const writer = new ModelWriter();
  writeParser(writer, parser, about);
  return ModelReader.fromBuffer(modelBuffer(writer), 'before.model');
}

const models = new Map<Kind, Promise<ModelReader>>();
function modelOf(kind: Kind): Promise<ModelReader> {
  const made = models.get(kind) ?? trained(kind, treebank, { options: kinds[kind] });
  models.set(kind, made);
  return made;
}

const further = (kind: Kind, from: Origin, run: TrainParserOptions = {}, data: Treebank = fresh) =>
  trained(kind, data, { options: { epochs: 4 }, from, ...run });

/** The model trained further on the fresh treebank alone. */
const furtherModels = new Map<Kind, Promise<ModelReader>>();
function furtherOf(kind: Kind): Promise<ModelReader> {
  const made = furtherModels.get(kind) ?? modelOf(kind).then((model) => further(kind, { model }));
  furtherModels.set(kind, made);
  return made;
}

// `toEqual` takes seconds for the bytes of a model.
const areSame = (one: ModelReader, other: ModelReader) =>
  Buffer.from(one.buffer).equals(Buffer.from(other.buffer));

/** The share of words whose head and label are right. */
async function scoreOf(model: ModelReader, sentences: readonly Sentence[]): Promise<number> {
  const parser = await openParser(model);
  let [right, words] = [0, 0];
  for (const sentence of sentences) {
    const { heads, labels } = parser.parse(sentence);
    for (let d = 1; d <= sentence.length; d++) {
      words++;
      if (heads[d] === sentence.heads[d] && labels[d] === sentence.labels[d]) right++;
    }
  }
  return right / words;
}

describe.each(names)('%s', (kind) => {
  test('is trained further on new labels and words, to the same bytes each time', async () => {
    const after = await furtherOf(kind);
    expect(after.header).toMatchObject({ from: { file: 'before.model' } });
    expect(areSame(await further(kind, { model: await modelOf(kind) }), after)).toBe(true);
    const parser = await openParser(after);
    const found = others.flatMap((sentence) => parser.parse(sentence).labels.slice(1));
    expect(found.filter((label) => label.endsWith(':new')).length).toBeGreaterThan(0.5 * found.length);
  });

  test('forgets less if sentences of the old treebank are replayed', async () => {
    const model = await modelOf(kind);
    const replayed = await further(kind, { model, replay: { treebank, share: 1 } });
    expect(replayed.header).toMatchObject({ replay: { treebank: { file: 'old' }, share: 1 } });
    const forgetful = await scoreOf(await furtherOf(kind), old);
    expect(await scoreOf(replayed, old)).toBeGreaterThan(forgetful + 0.1);
  });
});

const greedyAndGraph = ['graph', 'transition with dynamic oracle'] as const;

test.each(greedyAndGraph)('%s: further training can add many more labels', async (kind) => {
  const after = await further(kind, { model: await modelOf(kind) }, {}, manyLabels);
  expect(await scoreOf(after, await collect(manyLabels))).toBeGreaterThan(0.3);
});

const stopped = ['graph', 'graph of projective trees', 'transition with dynamic oracle'] as const;

test.each(stopped)(
  '%s: a stopped training resumes to the same bytes, but is refused for another base model',
  async (kind) => {
    const model = await modelOf(kind);
    const checkpoints = new KeptCheckpoint();
    const stop = new AbortController();
    const onProgress = ({ epoch }: { epoch: number }) => {
      if (epoch === 3) stop.abort();
    };
    await expect(further(kind, { model }, { checkpoints, signal: stop.signal, onProgress })).rejects.toThrow(
      'abort',
    );
    const whole = await further(kind, { model }, { checkpoints });
    expect(areSame(whole, await furtherOf(kind))).toBe(true);
    const twice = further(kind, { model: whole }, { checkpoints });
    await expect(twice).rejects.toThrow('a training with other options, data or seed');
  },
);

test.each(greedyAndGraph)('%s: further training makes new tags and words known', async (kind) => {
  const retagged = others.map((one) => ({
    ...one,
    forms: marked(one.forms),
    upos: marked(one.upos),
    xpos: marked(one.xpos),
  }));
  const model = await modelOf(kind);
  const after = await further(kind, { model }, {}, inMemory(retagged, 'retagged'));
  const unseen = async (one: ModelReader) => (await openParser(one)).parse(retagged[0]!).unseen ?? [];
  expect((await unseen(model)).length).toBeGreaterThan(0);
  expect((await unseen(after)).filter(({ column }) => column === 'upos')).toEqual([]);
  expect(await scoreOf(after, retagged)).toBeGreaterThan((await scoreOf(model, retagged)) + 0.2);
});

test.each(greedyAndGraph)('%s: a compact model can be trained further', async (kind) => {
  const writer = new ModelWriter();
  writer.copy(await modelOf(kind));
  const compact = ModelReader.fromBuffer(modelBuffer(writer, { compact: true }), 'compact');
  const after = await further(kind, { model: compact });
  expect(await scoreOf(after, await collect(fresh))).toBeGreaterThan(0.7);
});

test('sentences that cannot be trained on are left out, and the reason is reported', async () => {
  const twoRoots = sentence('a b', '0 0', { labels: 'root root' });
  const long = sentence('a b c d', '2 3 4 0');
  const notices: string[] = [];
  const short = sentence('a b', '0 1');
  const model = await trained('graph', inMemory([short], 'short'), { options: { ...small, maxLength: 3 } });
  const from = { model, replay: { treebank: inMemory([twoRoots], 'old'), share: 1 } };
  const learn = (data: readonly Sentence[]) =>
    further('graph', from, { onNotice: (notice) => notices.push(notice) }, inMemory(data, 'new'));
  await learn([short, twoRoots, long, twoRoots]);
  const [tooLong, several] = [
    '1 sentence of more than 3 tokens left out of training',
    '2 sentences with several roots left out of training: the model allows one',
  ];
  expect(notices.slice(0, 3)).toEqual([
    tooLong,
    several,
    '1 replayed sentence with several roots left out of training: the model allows one',
  ]);
  await expect(learn([twoRoots, long, twoRoots])).rejects.toThrow(
    `new: no sentence to learn from; ${tooLong}; ${several}`,
  );
});

test('a network changes little in further training at a low rate', async () => {
  const model = await modelOf('network');
  const same = await openParser(await further('network', { model }, { options: { epochs: 1, rate: 1e-5 } }));
  const first = await openParser(model);
  const differing = old.filter(
    (sentence) => first.parse(sentence).heads.join() !== same.parse(sentence).heads.join(),
  );
  expect(differing.length).toBeLessThan(0.2 * old.length);
});

test('the model’s own vectors and templates may be given again, but no others', async () => {
  const [own, other] = [vectorFile(['the', 'of']), vectorFile(['a', 'an', 'and'])];
  const options = { units: 16, layers: 1, epochs: 1 };
  const model = await trained('network', treebank, { options: { ...options, vectors: own } });
  const withVectors = (vectors: string) => further('network', { model }, { options: { vectors, epochs: 1 } });
  await expect(withVectors(own)).resolves.toBeDefined();
  await expect(withVectors(other)).rejects.toThrow(`vectors ${other} does not go with from`);
  const templates = [{ arcs: ['hf df'], labels: ['hf df'] }];
  const graph = await trained('graph', treebank, { options: { ...small, templates } });
  const withTemplates = (templates: unknown[]) =>
    further('graph', { model: graph }, { options: { templates } });
  await expect(withTemplates(templates)).resolves.toBeDefined();
  await expect(withTemplates([{ arcs: ['hf'] }])).rejects.toThrow(/^templates does not go with from/);
});

test('options other than the model’s are refused, and so are models that cannot be trained further', async () => {
  const model = await modelOf('network');
  const units = further('network', { model }, { options: { units: 32 } });
  await expect(units).rejects.toThrow('units 32 does not go with from');
  await expect(trainParser('bigram', fresh, { from: { model } })).rejects.toThrow(
    'from: bigram cannot continue from a trained model',
  );
  await expect(further('graph', { model })).rejects.toThrow('no model of the paradigm graph');
  const graph = await modelOf('graph');
  const order = further('graph', { model: graph }, { options: { order: 2 } });
  await expect(order).rejects.toThrow('order 2 does not go with from');
  // The model's own options may be given again, also if they are defaults; other defaults may not be given.
  const same = { order: 1, decoder: 'chu-liu-edmonds', normalize: undefined, ...small };
  await expect(further('graph', { model: graph }, { options: same })).resolves.toBeDefined();
  const projective = await modelOf('graph of projective trees');
  const decoder = further('graph', { model: projective }, { options: { decoder: 'chu-liu-edmonds' } });
  await expect(decoder).rejects.toThrow('decoder chu-liu-edmonds does not go with from');
  const beam = further(
    'transition with a beam',
    { model: await modelOf('transition with a beam') },
    { options: { beam: 8 } },
  );
  await expect(beam).rejects.toThrow('beam 8 does not go with from');
  const wide = await trained('transition with a beam', treebank, { options: { epochs: 1, bits: 14 } });
  const usual = { epochs: 1, beam: 8, update: 'max-violation', bits: 14 };
  await expect(further('transition with a beam', { model: wide }, { options: usual })).resolves.toBeDefined();
  const svm = trained('transition with a beam', treebank, { options: { learner: 'svm', bits: 14 } });
  await expect(further('transition with a beam', { model: await svm }, { options: {} })).rejects.toThrow(
    'support vector machines do not learn further',
  );
});
