import { describe, expect, test } from 'vitest';
import type { Paradigm, ParserImplementation } from '../../parsers/parser.ts';
import { findParadigm, openParser } from '../../parsers/registry.ts';
import { withoutTitles } from '../../src/encoding/templates/choice.ts';
import { formatTemplates, readTemplateFile } from '../../src/encoding/templates/template-file.ts';
import { InputError, UsageError } from '../../src/errors.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { sampleSentences } from '../support/sample-sentences.ts';
import { treebank } from '../support/sentences.ts';

const sentences = await sampleSentences('train', 25);
const bare = sentences.map((one): Sentence => ({ ...one, feats: one.feats.map(() => '_') }));
const small = { graph: { epochs: 1, bits: 14 }, transition: { epochs: 1, beam: 1, bits: 14 }, bigram: {} };
type Name = keyof typeof small;

async function trained(name: Name, options: object, learnt = sentences): Promise<ParserImplementation> {
  const paradigm = (await findParadigm(name)) as Paradigm<object>;
  const all = paradigm.options.parse({ ...small[name], ...options });
  return paradigm.train(treebank('sample', ...learnt), all, { seed: 3, jobs: 1 });
}

function saved(parser: ParserImplementation): ModelWriter {
  const writer = new ModelWriter();
  writer.header.paradigm = parser.paradigm;
  parser.save(writer);
  return writer;
}

const bytesOf = (parser: ParserImplementation) => Buffer.from(modelBuffer(saved(parser)));

/** Prints the templates that the options choose, and reads them back from the printed text. */
async function printedAndRead(name: Name, options: object): Promise<object> {
  const { options: schema, templates } = (await findParadigm(name)) as Paradigm<object>;
  const { sections } = templates!;
  const text = formatTemplates(templates!.choose(schema.parse(options)), sections);
  return readTemplateFile(text, 'printed', sections);
}

describe.each<[Name, object]>([
  ['graph', {}],
  ['graph', { stem: 'prefix:2', templates: ['mcdonald'], tag: 'upos' }],
  ['transition', {}],
  ['transition', { system: 'arc-standard' }],
  ['transition', { templates: ['standard'] }],
  ['bigram', {}],
  ['bigram', { estimate: 'zeman' }],
])('the built-in templates of %s with %o', (name, options) => {
  test('train the same parser after they were printed and read from a file', async () => {
    const file = await printedAndRead(name, options);
    const builtIn = bytesOf(await trained(name, options));
    const own = bytesOf(await trained(name, { ...options, templates: [file] }));
    expect(own.equals(builtIn)).toBe(true);
  });
});

describe.each<[Name, object, object]>([
  ['graph', { arcs: ['hf-3 dp', 'hp dp dx+2', 'hl bl'], labels: ['hf dp-2'] }, { arcs: ['hf-3 dp'] }],
  ['transition', { transitions: ['s0p b0x-2', 's0t b0l', 'distance s0HL2r'] }, { transitions: ['s0p'] }],
  ['bigram', { arcs: ['hp dp', 'hp-2 hp dp crossed < hp dp'], labels: ['hx dx'] }, { labels: ['hp dp'] }],
])('%s with custom templates', (name, own, other) => {
  test('saves them in its model, and parses differently with other templates', async () => {
    const parser = await trained(name, { templates: [own] });
    const reader = ModelReader.fromBuffer(modelBuffer(saved(parser)), 'a.model');
    const loaded = await openParser(reader);
    for (const one of sentences) expect(loaded.parse(one)).toEqual(parser.parse(one));
    const otherwise = await trained(name, { templates: [other] });
    expect(sentences.map((one) => otherwise.parse(one))).not.toEqual(
      sentences.map((one) => parser.parse(one)),
    );
  });

  test('adds them to a built-in set that is chosen with them', async () => {
    const { sets, choose } = (await findParadigm(name)).templates!;
    const options = { stem: 'none', system: 'arc-eager', estimate: 'interpolated' };
    const [section, list] = Object.entries(own as Record<string, string[]>)[0]!;
    const alone = withoutTitles(choose({ ...options, templates: [sets[0]] }))[section]!;
    const both = withoutTitles(choose({ ...options, templates: [sets[0], own] }))[section];
    expect(both).toEqual([...alone, ...list]);
  });
});

test.each<[Name, object]>([
  ['graph', { arcs: ['hf df'], labels: ['hf df'] }],
  ['graph', { arcs: ['hp dp'], labels: ['hp dp'] }],
  ['transition', { transitions: ['s0f b0f'] }],
  ['transition', { transitions: ['s0p b0p'] }],
  ['bigram', { arcs: ['hf df'], labels: ['hf df'] }],
])(
  '%s is trained, saved and loaded with templates that read only forms or only tags: %o',
  async (name, own) => {
    const parser = await trained(name, { templates: [own] });
    const opened = await openParser(ModelReader.fromBuffer(modelBuffer(saved(parser)), 'a.model'));
    for (const one of sentences) expect(opened.parse(one)).toEqual(parser.parse(one));
  },
);

describe('invalid templates', () => {
  test.each<[Name, object, string]>([
    [
      'graph',
      { templates: [{ arcs: ['hf dq'] }] },
      'template “hf dq”: “dq” is not a field, expected h, d or b, ',
    ],
    [
      'graph',
      { templates: [{ labels: ['hp bp bf'] }] },
      'template “hp bp bf”: more than one field of a word between',
    ],
    ['graph', { templates: [{ arcs: ['hs dp'] }] }, 'template “hs dp” reads stems: it goes with stem'],
    ['graph', { stem: 'lemma', templates: [{ arcs: ['hp dp'] }] }, 'stem lemma: no template reads stems'],
    [
      'transition',
      { templates: [{ transitions: ['s0f s0.form'] }] },
      '“s0.form” is not a field, expected s0, s1… or b0',
    ],
    [
      'bigram',
      { templates: [{ arcs: ['hp dp < hp'] }] },
      'template “hp dp < hp”: “hp” is not an earlier template',
    ],
    [
      'bigram',
      { estimate: 'zeman', templates: [{ arcs: ['hp dp'] }] },
      'templates of arcs go with estimate interpolated, not with zeman',
    ],
  ])('are refused by %s: %o', async (name, options, message) => {
    await expect(trained(name, options)).rejects.toThrow(UsageError);
    await expect(trained(name, options)).rejects.toThrow(message);
  });

  test.each<[Name, object]>([
    ['graph', { templates: [{ arcs: ['hm dm', 'hm dp'] }] }],
    ['graph', { templates: [{ arcs: ['hp dp'], labels: ['dm'] }] }],
    ['transition', { templates: [{ transitions: ['s0m'] }] }],
  ])('are those that all read features the treebank lacks: %s %o', async (name, options) => {
    await expect(trained(name, options, bare)).rejects.toThrow(
      'templates: sample has no morphological features',
    );
  });

  test('in the header of a model are refused', async () => {
    const writer = saved(await trained('graph', {}));
    const { settings } = writer.header.graph as { settings: { templates: { arcs: string[] } } };
    settings.templates.arcs[3] = 'hf dq';
    const reader = ModelReader.fromBuffer(modelBuffer(writer), 'a.model');
    await expect(openParser(reader)).rejects.toThrow(InputError);
    await expect(openParser(reader)).rejects.toThrow(
      'a.model: header field graph.settings.templates.arcs: expected templates, not [',
    );
  });
});
