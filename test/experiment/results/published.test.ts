import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  definitionDigest,
  lastingFigures,
  publishedTables,
  publishedText,
  withPublished,
} from '../../../bench/published-tables.ts';
import { bundledExperiments, readExperiment } from '../../../experiment/definition/experiment.ts';
import { packageFolder } from '../../../src/platform/package.ts';

const page = readFileSync(join(packageFolder, 'docs', 'results.md'), 'utf8');
const published = publishedTables(page);

/** The text between the marks of a table. */
function textOf(name: string): string {
  const [, text] = new RegExp(`^<!-- table ${name}: .*-->$([^]*?)^<!-- end of ${name} -->$`, 'm').exec(page)!;
  return text.trim();
}

describe('docs/results.md', () => {
  it('contains every bundled experiment exactly once', () => {
    expect(published.map(([name]) => name).sort()).toEqual(bundledExperiments());
  });

  it.each(published)(
    'shows %s with the rows, columns and source of its present file',
    async (name, marks) => {
      const experiment = await readExperiment(name);
      const text = textOf(name);
      expect(text).not.toBe('');
      expect(text).toContain(`parliament experiment ${name}`);
      if (marks.cells === 'none' || marks.cells === 'earlier') return;
      // npm run results -- NAME writes it anew.
      expect(marks.definition).toBe(definitionDigest(experiment));
      const shown = new Set([...text.matchAll(/^\| (.*?) *\|/gm)].map(([, first]) => first));
      for (const { name: row } of experiment.rows ?? []) expect([...shown]).toContain(row);
      expect(text).toMatch(/SHA-256 [0-9a-f]{12}…/);
    },
  );
});

describe('the confirmation of published figures', () => {
  it('compares values, but neither measured times nor headings', () => {
    const table = (heading: string, time: string) =>
      `| ${heading} | UAS | training s |\n| --- | ---: | ---: |\n| 1600 | 81.84 | ${time} |\n\n#### training s\n\n| a |\n| - |\n| ${time} |\n`;
    expect(lastingFigures(table('trainSentences', '1.2'))).toEqual(['1600 | 81.84']);
    const now = table('training sentences', '3.4').replace('1600', '1,600');
    expect(lastingFigures(now)).toEqual(lastingFigures(table('trainSentences', '1.2')));
    expect(lastingFigures(now.replace('81.84', '81.85'))).not.toEqual(lastingFigures(now));
  });

  it('reads the text between the marks', () => {
    expect(publishedText(page, 'learners')).toBe(textOf('learners'));
  });
});

describe('writing a table', () => {
  const marks = (cells: string) => ({ definition: 'd', cells, code: 'p' });
  const before =
    'Before.\n\n<!-- table a: definition d, cells none, code p -->\n\nOld.\n\n<!-- end of a -->\n\nAfter.\n';

  it('replaces the text between its marks and nothing else', () => {
    const after = withPublished(before, 'a', marks('c1'), '\nNew.\n');
    expect(after).toBe(before.replace('none', 'c1').replace('Old', 'New'));
    expect(publishedTables(after)).toEqual([['a', marks('c1')]]);
  });

  it('fails if the page has no place for it', () => {
    expect(() => withPublished(before, 'b', marks('c'), '')).toThrow('no place for the table b');
  });
});

describe('the digest of an experiment’s definition', () => {
  it('changes with the settings, but not with title, description or reported figures', async () => {
    const ladder = await readExperiment('ladder');
    const own = definitionDigest(ladder);
    const rows = ladder.rows!.map((row) => ({ ...row, reported: '1' }));
    expect(definitionDigest({ ...ladder, title: 'x', description: 'y', rows })).toBe(own);
    expect(definitionDigest({ ...ladder, defaults: {} })).not.toBe(own);
  });
});
