import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundledExperiments, readExperiment } from '../../../experiment/definition/experiment.ts';
import { definitionDigest, publishedTables, withPublished } from '../../../experiment/results/published.ts';
import { packageFolder } from '../../../src/files/package.ts';

const page = readFileSync(join(packageFolder, 'docs', 'results.md'), 'utf8');
const published = publishedTables(page);

/** What stands between the marks of a table. */
function textOf(name: string): string {
  const [, text] = new RegExp(`^<!-- table ${name}: .*-->$([^]*?)^<!-- end of ${name} -->$`, 'm').exec(page)!;
  return text.trim();
}

describe('docs/results.md', () => {
  it('has every bundled experiment, and each once', () => {
    expect(published.map(([name]) => name).sort()).toEqual(bundledExperiments());
  });

  it.each(published)(
    'has of %s the rows, columns and source of its file as it stands',
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

describe('a table is written', () => {
  const marks = (cells: string) => ({ definition: 'd', cells });
  const before =
    'Before.\n\n<!-- table a: definition d, cells none -->\n\nOld.\n\n<!-- end of a -->\n\nAfter.\n';

  it('between its marks, and all else stays as it is', () => {
    const after = withPublished(before, 'a', marks('c1'), '\nNew.\n');
    expect(after).toBe(before.replace('none', 'c1').replace('Old', 'New'));
    expect(publishedTables(after)).toEqual([['a', marks('c1')]]);
  });

  it('only where the page has a place for it', () => {
    expect(() => withPublished(before, 'b', marks('c'), '')).toThrow('no place for the table b');
  });
});

describe('the digest of what a file asks for', () => {
  it('changes with the settings, and not with what it says of them', async () => {
    const ladder = await readExperiment('ladder');
    const own = definitionDigest(ladder);
    const rows = ladder.rows!.map((row) => ({ ...row, reported: '1' }));
    expect(definitionDigest({ ...ladder, title: 'x', description: 'y', rows })).toBe(own);
    expect(definitionDigest({ ...ladder, defaults: {} })).not.toBe(own);
  });
});
