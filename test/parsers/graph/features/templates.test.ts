import { describe, expect, test } from 'vitest';
import { labelTemplates, templateSets } from '../../../../parsers/graph/features/template-sets.ts';
import { columnsOf, templatesOver } from '../../../../parsers/graph/features/templates.ts';

describe('template notation', () => {
  test('fields are taken apart into head, dependent and words between', () => {
    expect(templatesOver(['hf-1 hp dp bf'], ['upos'])).toEqual([
      {
        name: 'hf-1 hp dp bf',
        head: [
          { column: 'form', offset: -1 },
          { column: 'upos', offset: 0 },
        ],
        dependent: [{ column: 'upos', offset: 0 }],
        between: [{ column: 'form', offset: 0 }],
      },
    ]);
  });

  test('with two tag columns t stands for both in turn, p for the first', () => {
    const columns = templatesOver(['ht dt', 'hp'], ['upos', 'xpos']).map(({ head }) => head[0].column);
    expect(columns).toEqual(['upos', 'xpos', 'upos']);
  });

  test('with one tag column t and p are that column', () => {
    const columns = templatesOver(['ht dt', 'hp'], ['xpos']).map(({ head }) => head[0].column);
    expect(columns).toEqual(['xpos', 'xpos']);
  });

  test('x is the second tag column; where there is none the template is left out', () => {
    expect(templatesOver(['hx dp'], ['upos', 'xpos']).map(({ head }) => head[0].column)).toEqual(['xpos']);
    expect(templatesOver(['hx dp', 'hp dp'], ['upos']).map(({ name }) => name)).toEqual(['hp dp']);
  });

  test('a template named twice counts once', () => {
    expect(templatesOver(['ht dt', 'ht dt'], ['upos'])).toHaveLength(1);
  });

  test('a field that is none is refused by name', () => {
    expect(() => templatesOver(['ht dq'], ['upos'])).toThrow('template “ht dq”: “dq” is not a field');
  });

  test.each(['ht bt bf dt', 'ht bt+1 dt'])('%s reads more than one field between, and is refused', (name) => {
    expect(() => templatesOver([name], ['upos'])).toThrow(
      `template “${name}”: more than one field of a word between, or one of its neighbour`,
    );
  });

  test('every bundled template can be read, and mcdonald has the 18 of the paper’s table', () => {
    for (const names of [...Object.values(templateSets), labelTemplates]) {
      expect(templatesOver(names, ['upos', 'xpos']).length).toBeGreaterThanOrEqual(names.length);
    }
    expect(templateSets.mcdonald).toHaveLength(18);
  });

  test('columnsOf names each column once', () => {
    expect(columnsOf(templatesOver(['hf ht df', 'hp df'], ['upos', 'xpos']))).toEqual([
      'form',
      'upos',
      'xpos',
    ]);
  });
});
