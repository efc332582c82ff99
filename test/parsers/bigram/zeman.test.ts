import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bigramOptions, searchSettings } from '../../../parsers/bigram/options.ts';
import { Phases } from '../../../parsers/bigram/training/held-out.ts';
import { ZemanEstimate } from '../../../parsers/bigram/zeman.ts';
import type { EncodedColumn } from '../../../src/encoding/columns.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { encoded, smallSentences } from '../../support/encoded.ts';
import { sentence } from '../../support/sentences.ts';

const LAMBDA = 0.7;
const MAX_LENGTH = 12;

/** Forms are letters, some of them commas; every form is its own lemma. */
const words: Readonly<Record<string, string>> = { c: ',', Dog: 'e', 12: 'f', '3,4': ',' };
const sentences = fc.sample(smallSentences(1, 9), { numRuns: 60, seed: 3 }).map((one) => {
  const forms = one.forms.map((form) => words[form] ?? form);
  return { ...one, forms, lemmas: forms };
});
const known = sentences.slice(0, 40);
const unseen = sentences.slice(40).map((one) => ({ ...one, forms: one.forms.map(unseenForA) }));

function unseenForA(form: string): string {
  return form === 'a' ? 'z' : form;
}

const columns: EncodedColumn[] = ['form', 'lemma', 'upos', 'xpos', 'feats'];
const { encoder } = encoded(known[0], columns);
const exampleOf = (one: Sentence): Example => ({
  ...encoder.learn(one),
  heads: one.heads,
  labels: new Int32Array(one.length + 1),
});
const examples = known.map(exampleOf);
const tags = encoder.vocabulary(2);

async function learn(from: readonly Example[] = examples, lambda = LAMBDA): Promise<ZemanEstimate> {
  const isVerb = new Uint8Array(tags.size);
  isVerb[tags.idOf('V')] = 1;
  const places = { form: 0, lemma: 1, tag: [2, 3, 4], comma: encoder.vocabulary(0).idOf(','), isVerb };
  const settings = {
    ...searchSettings(bigramOptions.parse({ estimate: 'zeman', lambda })),
    ...({ tags: ['upos', 'xpos'], stem: 'none', normalize: true, singleRoot: false } as const),
    templates: { arcs: [], labels: [] },
    maxLength: MAX_LENGTH,
  };
  return ZemanEstimate.learn(places, settings, from, new Phases({ seed: 1, jobs: 1 }, 1, 1));
}

/** Arcs are counted separately by distance and direction, under the root by whether there is a verb. */
function kindOf({ forms, upos }: Sentence, h: number, d: number): string {
  const between = forms.slice(Math.min(h, d) + 1, Math.max(h, d));
  const distance = between.includes(',') ? 'comma' : between.length === 0 ? 'neighbours' : 'far';
  if (h === 0) return `${distance} ${upos.includes('V') ? 'root and verb' : 'root'}`;
  return `${distance} ${h < d ? 'right' : 'left'}`;
}

function keysOf(one: Sentence, h: number, d: number) {
  const tagOf = (i: number) => `${one.upos[i]} ${one.xpos[i]} ${one.feats[i]}`;
  const kind = kindOf(one, h, d);
  return {
    form: `form ${one.forms[d]}`,
    tag: `tag ${tagOf(d)}`,
    forms: `forms ${kind} ${one.forms[h]} ${one.forms[d]}`,
    tags: `tags ${kind} ${tagOf(h)} ${tagOf(d)}`,
    valency: one.upos[h] === 'V' ? `valency ${one.lemmas[h]} ${tagOf(d)}` : 'no verb',
  };
}

/** The formula of the DZ parser over counts of strings. */
function literalScore(counts: ReadonlyMap<string, number>, one: Sentence, h: number, d: number): number {
  const keys = keysOf(one, h, d);
  const count = (key: string) => counts.get(key) ?? 0;
  const byForm = count(keys.form) === 0 ? 0 : count(keys.forms) / count(keys.form);
  const valency = keys.valency === 'no verb' ? 0 : count(keys.valency);
  const byTag = (count(keys.tags) + valency + 1) / (count(keys.tag) + 1);
  return Math.log((LAMBDA * byForm + (1 - LAMBDA) * byTag) / Math.abs(h - d));
}

test('the estimate of the DZ parser follows its formula, also for verbs, commas and unseen words', async () => {
  const estimate = await learn();
  const counts = new Map<string, number>();
  for (const one of known) {
    for (let d = 1; d <= one.length; d++) {
      for (const key of Object.values(keysOf(one, one.heads[d], d)))
        counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  for (const one of [...known, ...unseen]) {
    const size = one.length + 1;
    const scores = new Float32Array(size ** 2);
    estimate.score(encoder.encode(one), scores);
    for (let d = 1; d <= one.length; d++) {
      for (let h = 0; h <= one.length; h++) {
        if (h !== d) expect(scores[h * size + d]).toBeCloseTo(literalScore(counts, one, h, d), 5);
      }
    }
  }
});

test.each([
  { none: 1, one: 9, two: 0, takesOne: 1 },
  { none: 0, one: 9, two: 1, takesOne: 1 },
  { none: 2, one: 8, two: 0, takesOne: 0 },
  { none: 0, one: 8, two: 2, takesOne: 0 },
])(
  'tokens should take one dependent if nine in ten tokens with their tag have one: %j',
  async ({ none, one, two, takesOne }) => {
    const alone = sentence('p', '0', { upos: 'P' });
    const examples = [
      ...Array<Sentence>(none).fill(alone),
      ...Array<Sentence>(one).fill(sentence('p a', '0 1', { upos: 'P N' })),
      ...Array<Sentence>(two).fill(sentence('p a a', '0 1 1', { upos: 'P N N' })),
    ];
    const estimate = await learn(examples.map(exampleOf));
    const asked = sentence('a p d p', '0 1 1 1', { upos: 'N P D P' });
    estimate.score(encoder.encode(asked), new Float32Array(25));
    expect([...estimate.takesOne.subarray(1, 5)]).toEqual([0, takesOne, 0, takesOne]);
  },
);

test('with a lambda of 1, unseen pairs have finite scores', async () => {
  const estimate = await learn(examples, 1);
  for (const one of unseen) {
    const scores = new Float32Array((one.length + 1) ** 2);
    estimate.score(encoder.encode(one), scores);
    expect(scores.every(Number.isFinite)).toBe(true);
  }
});
