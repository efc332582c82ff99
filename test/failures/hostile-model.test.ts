/** A model file with valid checksums may hold anything: it is refused or it parses, but never hangs or crashes. */
import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { trainParser } from '../../combine/train-parser.ts';
import type { Parser } from '../../parsers/parser.ts';
import { openParser, saveParser } from '../../parsers/registry.ts';
import { InputError } from '../../src/errors.ts';
import { HeaderFields } from '../../src/model/header-fields.ts';
import type { SectionArray } from '../../src/model/layout.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import { packageVersion } from '../../src/platform/package.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { samplePath } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';
import { sentence } from '../support/sentences.ts';

const sandbox = new Sandbox('hostile');

const kinds = {
  graph: ['graph', { epochs: 1, bits: 10 }, 'train'],
  transition: ['transition', { epochs: 1, bits: 10 }, 'train'],
  'yamada-matsumoto': ['yamada-matsumoto', { bits: 10, splitByTag: true }, 'train'],
  network: ['network', { epochs: 1, units: 4 }, 'train'],
  bigram: ['bigram', {}, 'train'],
  zeman: ['bigram', { estimate: 'zeman' }, 'train'],
  pcfg: ['pcfg', {}, 'train-trees'],
  split: ['pcfg', { splitMerge: 1 }, 'train-trees'],
} as const;
type Kind = keyof typeof kinds;
const types = ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'float32', 'float64'] as const;

/** A model taken apart: its header, and copies of its sections. */
interface Parts {
  header: Record<string, unknown>;
  sections: Map<string, SectionArray>;
}

const whole = {} as Record<Kind, ModelReader>;
beforeAll(async () => {
  for (const [kind, [paradigm, options, part]] of Object.entries(kinds)) {
    const file = samplePath('train').replace('.conllu', part === 'train' ? '.conllu' : '.mrg');
    const all = await openTreebank(file);
    const few = { name: 'sample', [Symbol.asyncIterator]: () => first(all, 20) };
    const { parser, about } = await trainParser(paradigm, few, { options });
    saveParser(sandbox.path(kind), parser, about);
    whole[kind as Kind] = readModelFile(sandbox.path(kind));
  }
});

async function* first<T>(all: AsyncIterable<T>, count: number): AsyncGenerator<T> {
  let left = count;
  for await (const one of all) {
    if (left-- === 0) return;
    yield one;
  }
}

/** Opens the parser of a model after a change to its header or sections, with valid checksums. */
function changed(kind: Kind, change: (parts: Parts) => void): Promise<Parser> {
  const model = whole[kind];
  const sections = new Map<string, SectionArray>();
  const names = [...modelText(model).matchAll(/"name":"([^"]*)","type":"(\w+)"/g)];
  for (const [, name, type] of names)
    sections.set(name, model.section(name, type as (typeof types)[number]).slice());
  const parts = { header: structuredClone(model.header) as Record<string, unknown>, sections };
  change(parts);
  const writer = new ModelWriter();
  Object.assign(writer.header, parts.header);
  for (const [name, array] of parts.sections) writer.section(name, array);
  return openParser(ModelReader.fromBuffer(modelBuffer(writer), 'x.model'));
}

function modelText({ buffer }: ModelReader): string {
  const length = new DataView(buffer).getUint32(12, true);
  return Buffer.from(buffer, 64, length).toString();
}

/** Sets a field of the header, by its path. */
function set(header: object, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop()!;
  let at = header as Record<string, unknown>;
  for (const name of names) at = at[name] as Record<string, unknown>;
  at[last] = value;
}

async function refusal(kind: Kind, change: (parts: Parts) => void): Promise<string> {
  const error = await changed(kind, change).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InputError);
  expect((error as InputError).message).toMatch(/^x\.model: [^\n]{1,300}$/);
  return (error as InputError).problem;
}

test.each(Object.keys(kinds) as Kind[])(
  'a %s model that is taken apart and put together again parses',
  async (kind) => {
    const parser = await changed(kind, () => undefined);
    const { heads } = parser.parse(
      sentence('The cat sleeps', '_ _ _'.replaceAll('_', '0'), { upos: 'DET NOUN VERB' }),
    );
    expect(heads).toHaveLength(4);
  },
);

describe('the program version in a model', () => {
  const own = packageVersion();
  const [major, minor, patch] = own.match(/\d+/g)!.map(Number);

  test.each(['99.0.0', `${major + 1}.0.0`, `${major}.${minor + 1}.0`])(
    'is refused if it is newer: %s',
    async (version) => {
      expect(await refusal('bigram', ({ header }) => set(header, 'version', version))).toBe(
        `written by version ${version} of Parliament, but this is ${own}: update Parliament`,
      );
    },
  );

  test.each([99, '99', 'x'.repeat(1000)])('is refused if it is not a version number: %s', async (version) => {
    expect(await refusal('bigram', ({ header }) => set(header, 'version', version))).toMatch(
      /^header field version: /,
    );
  });

  test.each([own, `${major}.${minor}.${patch + 1}`, '0.0.1'])(
    'is accepted if it is the same, older or newer only in its last number: %s',
    async (version) => {
      await changed('bigram', ({ header }) => set(header, 'version', version));
    },
  );
});

describe.each(['graph', 'transition', 'yamada-matsumoto', 'network', 'bigram', 'zeman'] as Kind[])(
  'a %s model',
  (kind) => {
    const part = kind === 'zeman' ? 'bigram' : kind;

    test.each<[string, unknown]>([
      ['settings.maxLength', 2 ** 40],
      ['settings.tags', []],
      ['settings.tags', ['xpos', 'upos']],
      ['settings.tags', ['upos', 'upos']],
      ['labels', []],
      ['labels', ['']],
      ['labels', ['a\tb']],
      ['labels', Array.from({ length: 5000 }, (_, i) => `l${i}`)],
      ['vocabularySizes', {}],
      ['vocabularySizes.form', 7],
      ['filled.form', 2],
      ['filled', undefined],
    ])('is refused with %s = %j', async (path, value) => {
      expect(await refusal(kind, ({ header }) => set(header, `${part}.${path}`, value))).toContain(
        `header field ${part}.`,
      );
    });

    test.each<[string, readonly number[]]>([
      ['more labels than the model has', [4, 4, 9999, 0]],
      ['a negative number of labels', [4, 4, -3]],
      ['no labels', [4, 4, 0]],
      ['an unknown label', [4, 4, 1, 9999]],
      ['labels that are not in ascending order', [4, 4, 2, 3, 1]],
      ['an unknown tag', [9999, 4, 1, 0]],
      ['a missing end', [4]],
    ])('is refused if the candidate labels of an arc have %s', async (_, numbers) => {
      const problem = await refusal(kind, ({ sections }) =>
        sections.set('candidates', Int32Array.from(numbers)),
      );
      expect(problem).toMatch(/^section candidates: /);
    });
  },
);

describe('weights', () => {
  test.each<[Kind, string, number]>([
    ['graph', 'arcs', 1000],
    ['graph', 'labels', 0],
    ['transition', 'actions', 1024],
    ['transition', 'labels', 10],
    ['yamada-matsumoto', 'labels.4.weights', 3],
  ])('of %s are refused if their number is wrong: %s', async (kind, name, length) => {
    const problem = await refusal(kind, ({ sections }) => sections.set(name, new Int16Array(length)));
    expect(problem).toMatch(
      new RegExp(`^section ${name} holds ${length === 0 ? 0 : '[\\d,]+'} numbers, expected `),
    );
  });
});

describe('networks', () => {
  test.each<[string, unknown]>([
    ['settings.units', 6],
    ['settings.units', 2 ** 40],
    ['settings.layers', 9],
    ['settings.layers', 1],
    ['settings.columns', ['form', 'stem']],
    ['settings.columns', ['form']],
    ['settings.decoder', 'none'],
  ])('are refused with %s = %j', async (path, value) => {
    await refusal('network', ({ header }) => set(header, `network.${path}`, value));
  });

  test.each([NaN, Infinity])('are refused with a weight of %s', async (weight) => {
    const problem = await refusal('network', ({ sections }) => {
      (sections.get('weights') as Float32Array)[7] = weight;
    });
    expect(problem).toBe('section weights has weights that are not finite numbers');
  });
});

describe('classifiers of yamada-matsumoto', () => {
  test.each<[string, unknown]>([
    ['labelClassifiers.0.classes', [9999]],
    ['labelClassifiers.0.classes', [2, 1]],
    ['actionClassifiers.0.classes', [3]],
    ['actionClassifiers.0.tag', 2 ** 40],
    ['settings.context', [10 ** 9, 0]],
  ])('are refused with %s = %j', async (path, value) => {
    await refusal('yamada-matsumoto', ({ header }) => set(header, `yamada-matsumoto.${path}`, value));
  });
});

describe('tables of counts', () => {
  const isTable = (name: string) => /^(arcs|labels)\.|^zeman\.counts/.test(name);
  const each = (sections: Parts['sections'], change: (array: Int32Array) => Int32Array) => {
    for (const [name, array] of sections) if (isTable(name)) sections.set(name, change(array as Int32Array));
  };

  test.each<Kind>(['bigram', 'zeman'])(
    'of %s are refused if they have no free rows, since no search would end',
    async (kind) => {
      const full = await refusal(kind, ({ sections }) =>
        each(sections, (array) => array.map((number) => number || 1)),
      );
      expect(full).toMatch(/^section (arcs\.hp dp|zeman\.counts): too few rows are free$/);
      const none = await refusal(kind, ({ sections }) => each(sections, () => new Int32Array(0)));
      expect(none).toMatch(/expected rows of 2$/);
      expect(await refusal(kind, ({ sections }) => each(sections, () => new Int32Array(7)))).toMatch(
        /expected rows of 2$/,
      );
    },
  );

  test('of Zeman’s estimate are refused if they have negative counts', async () => {
    const negative = await refusal('zeman', ({ sections }) =>
      each(sections, (array) => array.map((n, i) => (i % 2 === 1 ? -n : n))),
    );
    expect(negative).toMatch(/^section zeman\.counts: expected 0 or more, not -\d+$/);
  });
});

describe('grammars of pcfg', () => {
  const states = (name: string, change: (array: Int32Array) => void) => (parts: Parts) => {
    change(parts.sections.get(name) as Int32Array);
  };

  test.each<[string, (parts: Parts) => void, RegExp]>([
    [
      'a chain that leads nowhere',
      states('chains', (array) => array.fill(array[1], 2, 3)),
      /^section chains: \d+ does not lead up to \d+$/,
    ],
    [
      'an unknown state',
      states('binary', (array) => array.fill(99_999, 5, 6)),
      /^section binary: expected numbers from 0 to \d+, not 99999$/,
    ],
    [
      'a start symbol with two children',
      ({ header, sections }) => {
        (sections.get('binary') as Int32Array)[0] = (header.pcfg as { start: number }).start;
      },
      /^section binary: the start with two children$/,
    ],
    [
      'probabilities above 1',
      ({ sections }) => void sections.get('binary.scores')!.fill(1),
      /^section binary\.scores: expected numbers from -Infinity to 0, not 1$/,
    ],
    [
      'a probability that is not a number',
      ({ sections }) => void sections.get('chains.scores')!.fill(NaN),
      /^section chains\.scores: .*NaN$/,
    ],
    [
      'fewer tags than states',
      ({ sections }) => void sections.set('tags', new Uint8Array(3)),
      /^section tags holds 3 numbers/,
    ],
    [
      'states that never occur',
      ({ sections }) => void sections.get('occurrences')!.fill(0),
      /^section occurrences: /,
    ],
    [
      'words without a state',
      ({ sections }) => void sections.get('words.states')!.fill(0, 0, 1),
      /^section words\.states: expected 1 to/,
    ],
    ['words whose states are not tags', ({ sections }) => void sections.get('tags')!.fill(0), /is no tag$/],
    ['no class for all words', ({ sections }) => void sections.get('classes')!.fill(120, 0, 1), /./],
    [
      'a label with a bracket in it',
      ({ header }) => set(header, 'pcfg.labels.1', 'a)b'),
      /^header field pcfg\.labels/,
    ],
    ['a start symbol with a label', ({ header }) => set(header, 'pcfg.start', 1), /./],
    [
      'too large a maximum length',
      ({ header }) => set(header, 'pcfg.settings.maxLength', 1e9),
      /^header field pcfg\.settings\.maxLength/,
    ],
  ])('are refused with %s', async (_, change, message) => {
    expect(await refusal('pcfg', change)).toMatch(message);
  });

  test.each<[string, (parts: Parts) => void, RegExp]>([
    [
      'an unknown symbol',
      states('coarse.lefts', (array) => array.fill(99_999, 3, 4)),
      /^section coarse\.lefts: expected numbers from 0 to \d+, not 99999$/,
    ],
    [
      'a rule that does not refine its coarse rule',
      states('fine.coarse', (array) => array.set([array[1], array[0]])),
      /^section fine\.coarse: rule 0 does not refine rule \d+$/,
    ],
    [
      'a start symbol above two phrases',
      states('coarse.rights', (array) => array.fill(1)),
      /^section coarse\.parents: the start above something else than one labelled phrase$/,
    ],
    ['tags without a label', ({ header }) => set(header, 'pcfg.split.labels', Array(10_000).fill(null)), /./],
    [
      'more substates than allowed',
      states('split.0.0.substates', (array) => array.fill(5000, 1, 2)),
      /^section split\.0\.0\.substates: expected numbers from 1 to 1024, not 5000$/,
    ],
    [
      'a substate that a symbol does not have',
      states('split.0.0.places', (array) => array.fill(1023, 0, 1)),
      /^section split\.0\.0\.places: no such substates in rule 0$/,
    ],
    [
      'entries that end before they begin',
      states('split.0.0.starts', (array) => array.fill(7, 1, 2).fill(3, 2, 3)),
      /^section split\.0\.0\.starts: expected numbers that rise from 0 to \d+$/,
    ],
    [
      'probabilities above 1',
      ({ sections }) => void sections.get('split.0.0.probabilities')!.fill(2, 0, 1),
      /^section split\.0\.0\.probabilities: expected numbers from 0 to 1, not 2$/,
    ],
    [
      'a path with a bracket in it',
      ({ header }) => set(header, 'pcfg.split.paths.0', 'NP )'),
      /^header field pcfg\.split\.paths/,
    ],
    [
      'more stages than the model holds',
      ({ header }) => set(header, 'pcfg.split.stages', 3),
      /^no section split\.0\.1\.substates$/,
    ],
  ])('split by EM are refused with %s', async (_, change, message) => {
    expect(await refusal('split', change)).toMatch(message);
  });
});

describe('the container of a model', () => {
  test('is refused in a short line if the name of its paradigm is very long', async () => {
    expect(await refusal('graph', ({ header }) => set(header, 'paradigm', 'x\u001b'.repeat(50_000)))).toMatch(
      /^a model of the paradigm “x/,
    );
  });

  test('is refused with a header that is nested too deeply', async () => {
    const nested = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    expect(() => HeaderFields.of({ paradigm: nested }, 'x.model').text('paradigm')).toThrow(
      'x.model: header field paradigm: expected a string, not a value nested too deeply to be shown',
    );
  });

  test('is refused with two sections of the same name', () => {
    const writer = new ModelWriter();
    writer.section('aa', new Int8Array(1));
    writer.section('ab', new Int8Array(1));
    const bytes = Buffer.concat([...writer.chunks()]);
    const twice = Buffer.from(bytes.toString('latin1').replace('"name":"ab"', '"name":"aa"'), 'latin1');
    const length = twice.readUInt32LE(12);
    twice.writeUInt32LE(crc32(twice.subarray(64, 64 + length)), 24);
    twice.writeUInt32LE(crc32(twice.subarray(0, 28)), 28);
    const buffer = new SharedArrayBuffer(twice.length);
    new Uint8Array(buffer).set(twice);
    expect(() => ModelReader.fromBuffer(buffer, 'x.model')).toThrow('x.model: two sections are called aa');
  });
});
