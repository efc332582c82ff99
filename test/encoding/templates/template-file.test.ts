import { describe, expect, test } from 'vitest';
import { chosenOf } from '../../../src/encoding/templates/choice.ts';
import { Notation } from '../../../src/encoding/templates/notation.ts';
import {
  checkTemplates,
  formatTemplates,
  readTemplateFile,
  savedTemplates,
} from '../../../src/encoding/templates/template-file.ts';
import { InputError, UsageError } from '../../../src/errors.ts';
import { HeaderFields } from '../../../src/model/header-fields.ts';

const notation = new Notation({ nodes: { h: 'head', d: 'dependent' }, columns: ['f', 'p'] });
const legend = notation.legend();

/** Refuses a template that is twice in a list, which shows that checks get the earlier templates. */
function check(template: string, earlier: readonly string[]): void {
  notation.read(template);
  if (earlier.includes(template)) throw new UsageError(`template “${template}”: again`);
}
const sections = { arcs: { legend, check }, labels: { legend, check } };
const read = (text: string) => readTemplateFile(text, 'my.templates', sections);

describe('a file of templates', () => {
  test('has one template a line, in sections; the first needs no heading, and comments are ignored', () => {
    expect(read('# mine\nhf  dp\n\nhp dp # tags\r\n[labels]\ndf\n')).toEqual({
      arcs: ['hf dp', 'hp dp'],
      labels: ['df'],
    });
  });

  test('continues a section if its heading appears again', () => {
    expect(read('[labels]\ndf\n[arcs]\nhf\n[ labels ]\ndp')).toEqual({ labels: ['df', 'dp'], arcs: ['hf'] });
  });

  test('is refused with the line of an unknown field', () => {
    expect(() => read('hf\n\nhf dq # ?\n')).toThrow(
      new InputError(
        'template “hf dq”: “dq” is not a field, expected h or d, one of f or p, and for a neighbour an offset, as in +1',
        { file: 'my.templates', line: 3 },
      ),
    );
  });

  test.each([
    ['hf\n[label]\ndf', 'my.templates:2: “[label]” is not a section, expected [arcs] or [labels]'],
    ['hf\nhp\nhf', 'my.templates:3: template “hf”: again'],
    ['# nothing\n', 'my.templates: no template in it'],
    ['', 'my.templates: no template in it'],
  ])('is refused with the line of the mistake, if it has one: %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

test('a list of templates is checked like a file', () => {
  expect(() => checkTemplates(['hf', 'dp', 'hf'], sections.arcs)).toThrow(
    new UsageError('template “hf”: again'),
  );
  checkTemplates(['hf', 'dp'], sections.arcs);
});

test('a model with more templates than any parser has is refused before they are checked', () => {
  const fields = HeaderFields.of({ arcs: Array(200_000).fill('hf') }, 'x.model');
  expect(() => savedTemplates(fields, 'arcs', sections.arcs)).toThrow('expected at most 4096 templates');
});

test('training refuses more templates than a model file may have', () => {
  const given = {
    arcs: Array.from({ length: 1025 }, (_, i) => `hf+${1 + (i % 99)} dp+${1 + Math.floor(i / 99)}`),
  };
  expect(() => chosenOf([given], 'arcs', sections.arcs, {})).toThrow('more than 1024 templates of arcs');
});

test('printed templates can be read back', () => {
  const groups = {
    arcs: [
      { title: 'words', templates: ['hf', 'df'] },
      { title: 'tags', templates: ['hp dp'] },
    ],
    labels: [{ title: 'labels', templates: ['df dp+1'] }],
  };
  const text = formatTemplates(groups, sections);
  expect(read(text)).toEqual({ arcs: ['hf', 'df', 'hp dp'], labels: ['df dp+1'] });
  expect(text).toContain('\n# words\nhf\ndf\n\n# tags\nhp dp\n');
  expect(text).toContain('\n# f   form\n');
});
