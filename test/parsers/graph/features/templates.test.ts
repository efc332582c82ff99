import { describe, expect, test } from 'vitest';
import {
  labelTemplates,
  relativeLabelTemplates,
  templateSets,
} from '../../../../parsers/graph/features/template-sets.ts';
import {
  arcTemplatesOf,
  columnsOf,
  readLabelTemplate,
  relativeTemplatesOf,
  templatesOver,
} from '../../../../parsers/graph/features/templates.ts';

describe('template notation', () => {
  test('splits a template into fields of the head, of the dependent and of the words between', () => {
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

  test('x is the second tag column; if there is only one, the template is left out', () => {
    expect(templatesOver(['hx dp'], ['upos', 'xpos']).map(({ head }) => head[0].column)).toEqual(['xpos']);
    expect(templatesOver(['hx dp', 'hp dp'], ['upos']).map(({ name }) => name)).toEqual(['hp dp']);
  });

  test('a template named twice counts once', () => {
    expect(templatesOver(['ht dt', 'ht dt'], ['upos'])).toHaveLength(1);
  });

  test('an unknown field is refused by name', () => {
    expect(() => templatesOver(['ht dq'], ['upos'])).toThrow('template “ht dq”: “dq” is not a field');
  });

  test.each(['ht bt bf dt', 'ht bt+1 dt'])(
    '%s is refused: more than one field of a word between, or a field of its neighbour',
    (name) => {
      expect(() => templatesOver([name], ['upos'])).toThrow(
        `template “${name}”: more than one field of a word between, or one of its neighbour`,
      );
    },
  );

  test('every bundled template can be read, and the set mcdonald has the 18 of the paper’s table', () => {
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

  test('templates of labels can also read the head’s head, the children and the siblings of the dependent', () => {
    const names = ['hp dp', 'gp hp dp', 'dp cf', 'dp op+1', 'ht bt dt'];
    expect(arcTemplatesOf(names)).toEqual(['hp dp', 'ht bt dt']);
    const counts = (['once', 'children', 'siblings'] as const).map(
      (kind) => relativeTemplatesOf(kind, names, ['upos']).length,
    );
    expect(counts).toEqual([1, 1, 1]);
    expect(() => templatesOver(['gp hp dp'], ['upos'])).toThrow('“gp” is not a field');
  });

  test.each(['hp cp op', 'gp bp', 'bp cp'])(
    '%s is refused: b goes with h and d only, and c does not go with o',
    (name) => {
      expect(() => readLabelTemplate(name)).toThrow(
        `template “${name}”: b goes with h and d only, and c does not go with o`,
      );
    },
  );

  test('every bundled template of labels can be read', () => {
    for (const name of [...labelTemplates, ...relativeLabelTemplates]) {
      expect(() => readLabelTemplate(name)).not.toThrow();
    }
    expect(arcTemplatesOf(labelTemplates)).toEqual(labelTemplates);
    expect(arcTemplatesOf(relativeLabelTemplates)).toEqual([]);
  });
});
