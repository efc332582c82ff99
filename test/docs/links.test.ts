import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(packageFolder, 'docs')).flatMap((name) => (name.endsWith('.md') ? `docs/${name}` : [])),
];

/** The text of a page without its blocks of code. */
function prose(page: string): string {
  return readFileSync(join(packageFolder, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
}

/** The ids of a page's headings, as GitHub and npm make them. */
function headingIds(page: string): string[] {
  return Array.from(prose(page).matchAll(/^#+ (.*)$/gm), ([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(pages)('every link of %s leads to a file and a heading that exist', (page) => {
  const links = Array.from(prose(page).matchAll(/\]\(([^)\s]+)\)/g), ([, link]) => link!);
  const broken = links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = '', id] = link.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(packageFolder, file))) return true;
      return id !== undefined && file.endsWith('.md') && !headingIds(file).includes(id);
    });
  expect(broken).toEqual([]);
});
