import { describe, expect, test } from 'vitest';
import {
  columnsRead,
  compileTemplates,
  templatesOf,
} from '../../../../parsers/transition/features/templates.ts';
import { stackSystems } from '../../../../parsers/transition/systems/registry.ts';

describe('the notation of transition templates', () => {
  test('takes fields apart into nodes, each once, and their values', () => {
    expect(compileTemplates(['s0.form b0.tag', 's0.left.left2.label', 's0.tag distance'])).toEqual({
      nodes: [
        { where: 'stack', depth: 0 },
        { where: 'buffer', depth: 0 },
        { from: 0, move: 'left' },
        { from: 2, move: 'left2' },
      ],
      values: [
        { node: 0, value: 'form' },
        { node: 1, value: 'tag' },
        { node: 3, value: 'label' },
        { node: 0, value: 'tag' },
      ],
      templates: [[0, 1], [2], [3, -1]],
    });
  });

  test('gives a template that is named twice once', () => {
    expect(compileTemplates(['s0.form', 's0.form']).templates).toHaveLength(1);
  });

  test.each([
    ['x0.form', '“x0” is not a node'],
    ['s0.up.form', '“s0.up” is not a node'],
    ['s0.colour', '“s0.colour” is not a field'],
    ['form', '“form” is not a field'],
  ])('refuses %s', (template, message) => {
    expect(() => compileTemplates([template])).toThrow(`template: ${message}`);
  });

  test.each(Object.entries(stackSystems))('has templates for %s, each once', (_, system) => {
    const templates = templatesOf(system(true), true);
    expect(new Set(templates).size).toBe(templates.length);
    expect(compileTemplates(templates).templates).toHaveLength(templates.length);
  });

  test('reads features only where there are any', () => {
    const columns = (feats: boolean) =>
      columnsRead(compileTemplates(templatesOf(stackSystems['arc-eager'](true), feats)), ['upos', 'xpos']);
    expect(columns(true)).toEqual(expect.arrayContaining(['form', 'upos', 'xpos', 'feats']));
    expect(columns(false)).not.toContain('feats');
  });
});
