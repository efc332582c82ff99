import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LabelFeatures } from '../../../parsers/yamada-matsumoto/features.ts';
import { valueAt } from '../../../src/encoding/columns.ts';
import { encoded, smallSentences } from '../../support/encoded.ts';

const names = ['form', 'xpos', 'feats'] as const;
const roles = [
  'dependent',
  'head',
  'left child',
  'right child',
  'left sibling',
  'right sibling',
  'before dependent',
  'after dependent',
  'before head',
  'after head',
] as const;

const title = 'features of an arc come from its ends and nearby tokens, its direction and length';
test.each([[title, false] as const, [`${title}, and its ends’ morphology`, true] as const])(
  '%s',
  (_, withFeats) => {
    fc.assert(
      fc.property(smallSentences(1, 12), (one) => {
        const { encoder, sentence } = encoded(one, names);
        const sizes = names.map((_, number) => encoder.vocabulary(number).size);
        const [form, xpos, feats] = sizes.map((size, number) => ({ number, size }));
        const features = new LabelFeatures([form!, xpos!], withFeats ? feats : undefined);
        const value = (c: number, position: number) => valueAt(sentence, c, position);
        features.prepareTree(sentence, one.heads);
        for (let d = 1; d <= one.length; d++) {
          const h = one.heads[d]!;
          const childrenOf = (token: number, side: number) =>
            [...one.heads.keys()].filter((i) => one.heads[i] === token && Math.sign(i - token) === side);
          const places: Record<(typeof roles)[number], readonly number[]> = {
            dependent: [d],
            head: [h],
            'left child': childrenOf(d, -1),
            'right child': childrenOf(d, 1),
            'left sibling': childrenOf(h, -1),
            'right sibling': childrenOf(h, 1),
            'before dependent': [d - 1],
            'after dependent': [d + 1],
            'before head': [h - 1],
            'after head': [h + 1],
          };
          const withForms = ['dependent', 'head', 'left child', 'right child'];
          const expected = new Set<string>([`${h < d ? 'right' : 'left'} ${Math.min(Math.abs(h - d), 7)}`]);
          for (const role of roles) {
            for (const position of places[role]) {
              if (withForms.includes(role)) expected.add(`${role} form ${value(0, position)}`);
              expected.add(`${role} xpos ${value(1, position)}`);
            }
          }
          if (withFeats) {
            expected.add(`dependent feats ${value(2, d)}`);
            expected.add(`head feats ${value(2, h)}`);
          }
          features.extract(d);
          expect(decoded(features, sizes)).toEqual([...expected].sort());
        }
      }),
    );
  },
);

/** The numbers of features as texts. */
function decoded({ set }: LabelFeatures, [formSize, xposSize, featsSize]: readonly number[]): string[] {
  const slots = [
    ...roles.flatMap((role) => [
      { name: `${role} form`, size: formSize! },
      { name: `${role} xpos`, size: xposSize! },
    ]),
    { name: 'distance', size: 16 },
    { name: 'dependent feats', size: featsSize! },
    { name: 'head feats', size: featsSize! },
  ];
  return [...set.features.subarray(0, set.count)].map((feature) => decode(feature, slots)).sort();
}

function decode(feature: number, slots: readonly { readonly name: string; readonly size: number }[]): string {
  let value = feature;
  for (const { name, size } of slots) {
    if (value < size) {
      if (name !== 'distance') return `${name} ${value}`;
      return value <= 7 ? `right ${value}` : `left ${value - 7}`;
    }
    value -= size;
  }
  throw new Error(`no slot has feature ${feature}`);
}
