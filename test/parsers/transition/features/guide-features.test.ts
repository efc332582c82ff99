import { describe, expect, test } from 'vitest';
import { GuideChildren, GuideFeatures } from '../../../../parsers/transition/features/guide-features.ts';
import { ArcEager } from '../../../../parsers/transition/systems/arc-eager.ts';
import { StackConfiguration } from '../../../../parsers/transition/systems/stack-configuration.ts';
import { RIGHT, SHIFT } from '../../../../parsers/transition/systems/system.ts';
import type { GuideTree } from '../../../../src/encoding/guides.ts';
import { encoded } from '../../../support/encoded.ts';
import { sentence } from '../../../support/sentences.ts';

const four = sentence('a a a a', '2 0 2 3', { upos: 'N N N N' });
const guide = (...heads: number[]): GuideTree => ({
  heads: Int32Array.of(-1, ...heads),
  labels: Int32Array.of(-1, 1, 1, 1, 1),
});

describe('the dependents of a guide’s tree', () => {
  const children = new GuideChildren();
  children.link(Int32Array.of(-1, 3, 3, 0, 3, 3, 3), 6);

  test('are counted after a token, and before a token if they have no head yet', () => {
    expect([0, 3, 4, 6].map((other) => children.after(3, other, 9))).toEqual([5, 3, 2, 0]);
    expect(children.after(3, 3, 2)).toBe(2);
    expect(children.after(1, 0, 9)).toBe(0);
    const configuration = new StackConfiguration();
    configuration.clear(6);
    expect(children.headlessBefore(3, 3, configuration, 9)).toBe(2);
    configuration.attach(3, 1, 0);
    expect(children.headlessBefore(3, 3, configuration, 9)).toBe(1);
  });
});

describe('the guide features of a configuration', () => {
  const system = new ArcEager(true);
  const hashesOf = (guides: readonly GuideTree[], actions: readonly number[]) => {
    const features = new GuideFeatures(guides.length, system.focus, 1, 0);
    features.prepare({ ...encoded(four, ['form', 'upos']).sentence, guides });
    const configuration = new StackConfiguration();
    system.start(configuration, 4);
    for (const action of actions) system.apply(configuration, action, 0);
    const hashes = new Int32Array(features.count + 1);
    features.extract(configuration, hashes, 1);
    expect(hashes[0]).toBe(0);
    return [...hashes.subarray(1)];
  };

  test('depend on whether the guide’s tree has the next arc, has it reversed, or does not have it', () => {
    const all = [guide(2, 0, 2, 3), guide(0, 1, 2, 3), guide(3, 3, 0, 3)].map((one) =>
      hashesOf([one], [SHIFT]),
    );
    expect(new Set(all.map(String)).size).toBe(3);
  });

  test('exist for each of several guides, and for all of them together', () => {
    const [one, other] = [guide(2, 0, 2, 3), guide(0, 1, 2, 3)];
    const both = hashesOf([one, other], [SHIFT]);
    const single = hashesOf([one], [SHIFT]);
    expect(both).toHaveLength(3 * single.length);
    expect(both.slice(0, single.length)).toEqual(single);
  });

  test('exist also at the beginning and at the end, where nodes are missing', () => {
    expect(hashesOf([guide(2, 0, 2, 3)], [])).toHaveLength(hashesOf([guide(2, 0, 2, 3)], [SHIFT]).length);
    expect(() => hashesOf([guide(2, 0, 2, 3)], [SHIFT, RIGHT, RIGHT, RIGHT])).not.toThrow();
  });
});
