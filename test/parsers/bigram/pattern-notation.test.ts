import { describe, expect, test } from 'vitest';
import { arcPatterns, labelPatterns } from '../../../parsers/bigram/options.ts';
import { arcNotation, labelNotation } from '../../../parsers/bigram/patterns.ts';
import { checkTemplates } from '../../../src/encoding/templates/template-file.ts';
import { UsageError } from '../../../src/errors.ts';

const columns = {
  names: ['form', 'lemma', 'upos', 'xpos', 'feats'] as const,
  tags: ['upos', 'xpos'] as const,
  isFilled: () => true,
};

test('a template is split into fields, a feature of the arc, and a backoff', () => {
  const [tags, more] = arcNotation.patterns(['hp dp', 'hp-2 hp dp between dl<hp  dp'], columns);
  expect(tags).toMatchObject({ name: 'hp dp', feature: 'direction', backoff: -1 });
  expect(more).toEqual({
    name: 'hp-2 hp dp between dl',
    fields: [
      { of: 'head', column: 2, offset: -2 },
      { of: 'head', column: 2, offset: 0 },
      { of: 'dependent', column: 2, offset: 0 },
      { of: 'dependent', column: 1, offset: 0 },
    ],
    feature: 'between',
    backoff: 0,
  });
});

test('missing lemmas are replaced by forms, and fields of missing fine tags or features are left out', () => {
  const [pattern] = arcNotation.patterns(['hp hx hm hl dp'], {
    ...columns,
    tags: ['upos'],
    isFilled: (name) => name === 'upos' || name === 'form',
  });
  expect(pattern.fields.map(({ column }) => columns.names[column])).toEqual(['upos', 'form', 'upos']);
});

test('single features are read if the treebank has their attribute; otherwise the field is left out', () => {
  const templates = ['hp dp', 'hp dp dm:Case < hp dp'];
  const names = [...columns.names, 'feats:Case'] as const;
  const [, finer] = arcNotation.patterns(templates, { ...columns, names });
  expect(finer.fields.map(({ column }) => names[column])).toEqual(['upos', 'upos', 'feats:Case']);
  expect(arcNotation.patterns(templates, columns)).toHaveLength(1);
});

test('the built-in patterns are valid', () => {
  checkTemplates(arcPatterns, arcNotation);
  checkTemplates(labelPatterns, labelNotation);
});

describe('invalid templates', () => {
  const check = (...templates: string[]) => checkTemplates(templates, arcNotation);

  test.each([
    ['hp dt', 'template “hp dt”: “dt” is not a field, expected h or d, one of f, l, m, p or x, '],
    ['hp dp marker', '“marker” is not a field, expected '],
    [
      'hp dp distance crossed',
      'template “hp dp distance crossed”: more than one of distance, between or crossed',
    ],
    ['hp dp df < hp df', 'template “hp dp df < hp df”: “hp df” is not an earlier template'],
    ['hf dp < hp dp', 'template “hf dp < hp dp”: “hp dp” is not part of it'],
    ['hp dp df < hp dp between', '“hp dp between” is not part of it'],
    ['hp dp df distance < hp dp between', '“hp dp between” is not part of it'],
    ['hp dp-1 < hp dp', '“hp dp” is not part of it'],
    ['hp dp df < hp dp < hp', '“hp dp < hp” is not an earlier template'],
  ])('%s is refused', (template, message) => {
    expect(() => check('hp dp', 'hp dp between < hp dp', template)).toThrow(UsageError);
    expect(() => check('hp dp', 'hp dp between < hp dp', template)).toThrow(message);
  });
});
