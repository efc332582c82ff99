import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exponential, logarithm, tanh, wholePower } from '../../src/learn/exponential.ts';
import { packageFolder } from '../../src/platform/package.ts';
import { sourceFiles } from '../support/imports.ts';

test('exponential equals Math.exp except for the last bits', () => {
  fc.assert(
    fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) => {
      expect(Math.abs(exponential(x) / Math.exp(x) - 1)).toBeLessThan(1e-15);
    }),
  );
  expect([exponential(0), exponential(-1e9), exponential(1e9)]).toEqual([1, 0, Number.POSITIVE_INFINITY]);
  expect(exponential(Number.NEGATIVE_INFINITY)).toBe(0);
  for (let x = -750; x < -740; x += 0.01) expect(exponential(x)).toBeLessThan(1e-300);
  expect(exponential(Number.NaN)).toBeNaN();
});

test('logarithm and tanh equal Math.log and Math.tanh except for the last bits', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (x) => {
      expect(Math.abs(logarithm(x) - Math.log(x))).toBeLessThan(1e-12 * (1 + Math.abs(Math.log(x))));
    }),
  );
  for (const x of [0, Number.POSITIVE_INFINITY, -1, Number.NaN]) expect(logarithm(x)).toBe(Math.log(x));
  for (const x of [-800, -372.45, -2, -1e-3, 0, 0.5, 3, 800]) expect(tanh(x)).toBeCloseTo(Math.tanh(x), 14);
});

test('wholePower equals the operator ** except for the last bits', () => {
  for (const base of [0.9, 0.95]) {
    for (const n of [0, 1, 2, 3, 10, 97, 1000, 8001]) {
      expect(Math.abs(wholePower(base, n) - base ** n)).toBeLessThanOrEqual(1e-12 * base ** n);
    }
  }
});

test('networks, bigram parsers and grammars are trained only with functions that all engines round alike', () => {
  const exact = ['abs', 'ceil', 'floor', 'fround', 'imul', 'max', 'min', 'round', 'sqrt', 'trunc'];
  const files = [
    ...sourceFiles(
      'src/learn/network',
      'src/learn/encoder',
      'src/training/encoder',
      'parsers/network',
      'annotators/tagger',
      'parsers/bigram/training',
    ),
    'parsers/constituency/split-merge/learning/em.ts',
    'parsers/constituency/split-merge/learning/split-and-merge.ts',
    'src/learn/exponential.ts',
    'src/learn/random.ts',
    'src/learn/linear/weights.ts',
  ];
  expect(files.length).toBeGreaterThan(30);
  for (const file of files) {
    const code = readFileSync(join(packageFolder, file), 'utf8').replaceAll(/\/\*.*?\*\/|\/\/.*$/gms, '');
    const used = [...code.matchAll(/\bMath\.([a-z]\w*)|(\*\*)/g)].map(([whole, name]) => name ?? whole);
    expect(
      used.filter((name) => !exact.includes(name)),
      file,
    ).toEqual([]);
  }
});
