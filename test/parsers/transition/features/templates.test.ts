import { describe, expect, test } from 'vitest';
import { templateSets } from '../../../../parsers/transition/features/template-sets.ts';
import {
  columnsRead,
  compileTemplates,
  withoutRepeats,
} from '../../../../parsers/transition/features/templates.ts';
import { stackSystems } from '../../../../parsers/transition/systems/registry.ts';

const tags = ['upos', 'xpos'] as const;

describe('the notation of transition templates', () => {
  test('is split into nodes, columns and values, each listed once', () => {
    expect(compileTemplates(['s0f b0px', 's0LL2r', 's0px+2 distance', 'b0px s0f'], tags)).toEqual({
      nodes: [
        { where: 'stack', depth: 0 },
        { where: 'buffer', depth: 0 },
        { from: 0, move: 'L' },
        { from: 2, move: 'L2' },
      ],
      columns: [['form'], ['upos', 'xpos']],
      values: [
        { node: 0, column: 0, offset: 0 },
        { node: 1, column: 1, offset: 0 },
        { node: 3, state: 'r' },
        { node: 0, column: 1, offset: 2 },
      ],
      templates: [[0, 1], [2], [3, -1], [1, 0]],
    });
  });

  test('lists a repeated template only once', () => {
    expect(compileTemplates(['s0f', ' s0f '], tags).templates).toHaveLength(1);
  });

  test('expands t to a template for each tag column, and drops x without a second one', () => {
    const columns = (columnsInUse: readonly ('upos' | 'xpos')[]) =>
      compileTemplates(['s0t b0t', 's0x'], columnsInUse).columns;
    expect(columns(tags)).toEqual([['upos'], ['xpos']]);
    expect(columns(['xpos'])).toEqual([['xpos']]);
    expect(compileTemplates(['s0x'], ['xpos']).templates).toEqual([]);
  });

  test('without repeats has no two templates that read the same from the given tag columns', () => {
    const templates = ['s0px b0px', 's0p b0p', 's0t b0t', 's0f s0p', 's0x'];
    expect(withoutRepeats(templates, tags)).toEqual(templates);
    expect(withoutRepeats(templates, ['upos'])).toEqual(['s0px b0px', 's0f s0p', 's0x']);
    expect(withoutRepeats(['s0p', 's0x', 's0t'], tags)).toEqual(['s0p', 's0x']);
    expect(withoutRepeats(['s0f', 's0f+1', 's0Lf', 's0f'], tags)).toEqual(['s0f', 's0f+1', 's0Lf']);
  });

  test('has a set of coarse tags that adds nothing if there is only one tag column', () => {
    for (const system of Object.values(stackSystems)) {
      const { standard, coarse } = templateSets(system(true));
      expect(coarse.length).toBeGreaterThan(20);
      expect(withoutRepeats([...standard, ...coarse], ['upos'])).toEqual(standard);
      expect(withoutRepeats([...standard, ...coarse], tags)).toEqual([...standard, ...coarse]);
    }
  });

  test.each(['x0f', 's0Uf', 's0c', 'f', 'sf', 's0vl+1'])('refuses %s', (template) => {
    expect(() => compileTemplates([`s0f ${template}`], tags)).toThrow(
      `template “s0f ${template}”: “${template}” is not a field, expected s0, s1… or b0, b1…, `,
    );
  });

  test.each(Object.entries(stackSystems))('has templates for %s, each once', (_, system) => {
    const templates = Object.values(templateSets(system(true))).flat();
    expect(new Set(templates).size).toBe(templates.length);
    expect(compileTemplates(templates, tags).templates).toHaveLength(templates.length);
  });

  test('reads morphological features only in the set morphology', () => {
    const { standard, morphology } = templateSets(stackSystems['arc-eager'](true));
    expect(columnsRead(compileTemplates(standard, tags))).toEqual(['form', 'upos', 'xpos']);
    expect(columnsRead(compileTemplates(morphology, tags))).toContain('feats');
  });
});
