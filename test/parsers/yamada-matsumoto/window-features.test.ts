import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WindowFeatures } from '../../../parsers/yamada-matsumoto/features.ts';
import { childrenPlaces, featureSets } from '../../../parsers/yamada-matsumoto/settings.ts';
import { RIGHT, RowConfiguration, SHIFT, YamadaMatsumoto } from '../../../parsers/yamada-matsumoto/system.ts';
import { columnWidth } from '../../../src/encoding/columns.ts';
import { Random } from '../../../src/learn/random.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { encoded, smallSentences } from '../../support/encoded.ts';
import { sentence as sentenceOf } from '../../support/sentences.ts';

const names = ['form', 'xpos'] as const;
const system = new YamadaMatsumoto(true);
const everything = { children: true, childrenOf: 'window', lastAction: false, features: 'paper' } as const;
const neighbours = ['before left', 'after left', 'before right', 'after right'];

interface Options {
  readonly context: readonly [number, number];
  readonly children: boolean;
  readonly childrenOf: (typeof childrenPlaces)[number];
  readonly features: 'paper' | 'extended';
}

/** The features of a window as texts: place from the left focus node, own or of a child, column and value. */
function literally(
  { forms, xpos, length }: Sentence,
  trees: readonly number[],
  focus: number,
  heads: readonly number[],
  { context: [left, right], children, childrenOf, features }: Options,
): string[] {
  const found = new Set<string>();
  const add = (place: number | string, whose: string, token: number) => {
    found.add(`${place} ${whose} form ${normal(forms[token]!)}`);
    found.add(`${place} ${whose} xpos ${xpos[token]}`);
  };
  for (let place = -left; place <= 1 + right; place++) {
    const node = trees[focus + place];
    if (node === undefined) continue;
    add(place, 'own', node);
    if (!children || childrenOf === (place <= 0 ? 'right' : 'left')) continue;
    heads.forEach((head, d) => {
      if (head === node) add(place, d < node ? 'left' : 'right', d);
    });
  }
  if (features === 'extended') {
    const [l, r] = [trees[focus]!, trees[focus + 1]!];
    for (const [n, token] of [l - 1, l + 1, r - 1, r + 1].entries())
      if (token >= 1 && token <= length) add(neighbours[n]!, 'own', token);
  }
  return [...found].sort();
}

/** Normalises a form as columns do: in lower case, and with all numbers alike. */
function normal(form: string): string {
  return /^\d/.test(form) ? 'number' : form.toLowerCase();
}

/** The same texts, from the numbers of features. */
function decoded(
  window: WindowFeatures,
  [left, right]: Options['context'],
  strings: readonly string[][],
): string[] {
  const { features, count } = window.set;
  const sizes = strings.map((column) => column.length);
  const perRole = sizes.reduce((sum, size) => sum + size, 0);
  return [...features.subarray(0, count)]
    .map((feature) => {
      const role = Math.floor(feature / perRole);
      const within = feature % perRole;
      const c = within < sizes[0]! ? 0 : 1;
      const value = strings[c]![c === 0 ? within : within - sizes[0]!]!;
      const last = 3 * (left + 2 + right);
      if (role >= last) return `${neighbours[role - last]} own ${names[c]} ${value}`;
      return `${Math.floor(role / 3) - left} ${['own', 'left', 'right'][role % 3]} ${names[c]} ${value}`;
    })
    .sort();
}

describe('features of the window', () => {
  const contexts = fc.record({
    context: fc.constantFrom<[number, number]>([2, 4], [0, 0], [1, 0], [3, 3]),
    children: fc.boolean(),
    childrenOf: fc.constantFrom(...childrenPlaces),
    features: fc.constantFrom(...featureSets),
  });

  test('are form and tag of every node and of all its left and right children, each once', () => {
    fc.assert(
      fc.property(smallSentences(2, 12), contexts, fc.integer(), (one, options, seed) => {
        const { encoder, sentence } = encoded(one, names);
        const columns = names.map((_, number) => ({ number, size: encoder.vocabulary(number).size }));
        const strings = names.map((_, c) => {
          const known = encoder.vocabulary(c).strings();
          return ['', '', '', '', ...known.map((string) => (string === '\t0' ? 'number' : string))];
        });
        const window = new WindowFeatures({ ...options, lastAction: false, columns });
        const random = new Random(seed);
        const configuration = new RowConfiguration();
        system.start(configuration, sentence.length);
        window.prepare(sentence);
        while (!configuration.isComplete) {
          window.extract(configuration);
          const trees = [...configuration.row.subarray(0, configuration.size)];
          const heads = Array.from({ length: one.length + 1 }, (_, d) =>
            d === 0 ? -1 : configuration.heads[d],
          );
          expect(decoded(window, options.context, strings)).toEqual(
            literally(one, trees, configuration.focus, heads, options),
          );
          const permitted = system.permitted(configuration);
          system.apply(configuration, permitted[random.below(permitted.length)]!);
        }
      }),
    );
  });

  test('include the previous action if the options say so, but none before the first', () => {
    const { encoder, sentence } = encoded(sentenceOf('a b c', '2 0 2'), ['form']);
    const columns = [{ number: 0, size: encoder.vocabulary(0).size }];
    const window = new WindowFeatures({ context: [0, 0], ...everything, lastAction: true, columns });
    const configuration = new RowConfiguration();
    system.start(configuration, sentence.length);
    window.prepare(sentence);
    const actions = () => {
      window.extract(configuration);
      return [...window.set.features.subarray(0, window.set.count)]
        .map((feature) => window.set.meaningOf(feature))
        .map(({ slot, value }) => window.actionOf(slot, value))
        .filter((action) => action !== undefined);
    };
    expect(actions()).toEqual([]);
    system.apply(configuration, SHIFT);
    expect(actions()).toEqual([SHIFT]);
    system.apply(configuration, RIGHT);
    expect(actions()).toEqual([RIGHT]);
  });

  test('include the morphology of the two nodes in focus if they are extended', () => {
    const { encoder, sentence } = encoded(
      { ...sentenceOf('a b c', '2 0 2'), feats: ['', 'Case=Nom', 'Mood=Ind', 'Case=Acc'] },
      ['form', 'feats'],
    );
    const [form, feats] = [0, 1].map((number) => ({ number, size: encoder.vocabulary(number).size }));
    const named = (features: 'paper' | 'extended') => {
      const window = new WindowFeatures({ context: [0, 0], ...everything, features, columns: [form], feats });
      const configuration = new RowConfiguration();
      system.start(configuration, sentence.length);
      system.apply(configuration, SHIFT);
      window.prepare(sentence);
      window.extract(configuration);
      return [...window.set.features.subarray(0, window.set.count)]
        .map((feature) => window.set.meaningOf(feature))
        .map(({ slot, value }) => ({ ...window.slotName(slot), value }))
        .filter(({ column }) => column === 1)
        .map(({ node, value }) => `${node} ${encoder.vocabulary(1).strings()[value - 4]}`);
    };
    expect(named('extended')).toEqual(['left Mood=Ind', 'right Case=Acc']);
    expect(named('paper')).toEqual([]);
  });

  test('are limited to 256, even for a node with thousands of children', () => {
    const columns = [{ number: 0, size: 5000 }];
    const window = new WindowFeatures({ context: [0, 0], ...everything, columns });
    const n = 4000;
    const configuration = new RowConfiguration();
    system.start(configuration, n);
    for (let d = 3; d <= n; d++) {
      configuration.focus = 0;
      system.apply(configuration, RIGHT);
    }
    window.prepare({ length: n, columns: Int32Array.from({ length: columnWidth(n) }, (_, i) => i + 4) });
    window.extract(configuration);
    expect(window.set.count).toBe(256);
  });
});
