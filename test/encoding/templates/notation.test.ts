import { describe, expect, test } from 'vitest';
import {
  attributesNamed,
  canonical,
  columnsOfValue,
  Notation,
  overAttributes,
  turnsOf,
} from '../../../src/encoding/templates/notation.ts';
import { UsageError } from '../../../src/errors.ts';

const arcs = new Notation({ nodes: { h: 'the head', d: 'the dependent' }, columns: ['f', 'p', 'px'] });
const stack = new Notation({
  nodes: { s: 'of the stack', b: 'of the buffer' },
  numbered: true,
  moves: { L: 'leftmost child', L2: 'the next one', H: 'head' },
  columns: ['f', 't'],
  values: { r: 'label', rl: 'labels of children to the left' },
  words: { distance: 'how far apart' },
});

const field = (node: string, value: string, offset = 0, moves: string[] = []) => ({
  node,
  moves,
  value,
  offset,
});

describe('a template is read as fields', () => {
  test('of a node, a value and, for a neighbour, an offset', () => {
    expect(arcs.read('hf hp+1 dpx-12')).toEqual([field('h', 'f'), field('h', 'p', 1), field('d', 'px', -12)]);
  });

  test('with numbered nodes, moves from one to another, values that are not columns, and words', () => {
    expect(stack.read('s0f b1t+2 s2LL2Hf s0rl s0r distance')).toEqual([
      field('s0', 'f'),
      field('b1', 't', 2),
      field('s2', 'f', 0, ['L', 'L2', 'H']),
      field('s0', 'rl'),
      field('s0', 'r'),
      field('', 'distance'),
    ]);
  });

  test('with any number of blanks between them', () => {
    expect(arcs.read('  hf \t dp ')).toEqual(arcs.read('hf dp'));
    expect(canonical('  hf \t dp ')).toBe('hf dp');
  });
});

describe('a template is refused, with what was expected, if it has the field', () => {
  const ofArcs = 'expected h or d, one of f, p or px, and for a neighbour an offset, as in +1';
  test.each(['', 'hq', 'bf', 'hf+0', 'hf+100', 'hf1', 'hfp', 'Hf', 'hfd', 'h', 'f'])('“%s”', (wrong) => {
    const template = `hf ${wrong}`.trim();
    if (wrong === '') expect(() => arcs.read('')).toThrow('template “”: “” is not a field');
    else
      expect(() => arcs.read(template)).toThrow(
        new UsageError(`template “${template}”: “${wrong}” is not a field, ${ofArcs}`),
      );
  });

  test.each(['sf', 's0', 's10f', 's0r+1', 's0rlf', 's0L3f', 'L0f', 'distance+1'])('“%s”', (wrong) => {
    expect(() => stack.read(wrong)).toThrow(
      `template “${wrong}”: “${wrong}” is not a field, expected s0, s1… or b0, b1…, any of L, L2 or H, ` +
        'one of f, t, r or rl, and for a neighbour an offset, as in +1; or distance',
    );
  });
});

test('the legend lists every node, move, value, offset and word that may be used', () => {
  const names = stack.legend().map((line) => line.split(/\s+/)[0]);
  expect(names).toEqual(['s0', 'b0', 'L', 'L2', 'H', 'f', 't', 'r', 'rl', '+1', 'distance']);
});

test('values stand for columns: p the coarse tag, x the fine one if any, px both, t each in turn', () => {
  const both = ['upos', 'xpos'] as const;
  expect(['p', 'x', 'px', 't', 'm'].map((value) => columnsOfValue(value, both, 'xpos'))).toEqual([
    ['upos'],
    ['xpos'],
    ['upos', 'xpos'],
    ['xpos'],
    ['feats'],
  ]);
  expect(['p', 'x', 'px', 't'].map((value) => columnsOfValue(value, ['xpos'], 'xpos'))).toEqual([
    ['xpos'],
    [],
    ['xpos'],
    ['xpos'],
  ]);
  expect(turnsOf(stack.read('s0t b0t'), both)).toEqual(both);
  expect(turnsOf(stack.read('s0f'), both)).toEqual(['upos']);
});

describe('single features', () => {
  const notation = new Notation({ nodes: { h: 'head', d: 'dependent' }, columns: ['m', 'p'] });

  test('are values named after their attribute, with or without an offset', () => {
    const read = notation.read('hm:Case+1 dm:Number[psor] dm:BIZ- hm');
    expect(read.map(({ value, offset }) => [value, offset])).toEqual([
      ['m:Case', 1],
      ['m:Number[psor]', 0],
      ['m:BIZ-', 0],
      ['m', 0],
    ]);
    expect(attributesNamed(['hm:Case+1 dm:Number[psor]', 'dm:* hm', 'hm:BIZ-<hp'])).toEqual([
      'Case',
      'Number[psor]',
      'BIZ-',
    ]);
  });

  test('m:* stands for each attribute in turn, the same one at both ends', () => {
    expect(overAttributes(['hm:* dm:*', 'hp'], ['Case', 'Number'])).toEqual([
      'hm:Case dm:Case',
      'hm:Number dm:Number',
      'hp',
    ]);
  });
});
