// What the documentation site holds, in its order: pages that are written, and those made from the code.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { apiPages } from './api-reference.mjs';
import { commandPages } from './command-reference.mjs';

/** Pages that are written, by section: their paths in the repository. */
export const writtenPages = {
  Start: ['README.md', 'docs/guide.md', 'docs/cookbook.md'],
  Parsers: [
    'docs/graph.md',
    'docs/transitions.md',
    'docs/network.md',
    'docs/bigram.md',
    'docs/phrases.md',
    'docs/stacking.md',
    'docs/templates.md',
    'docs/support-vector-machines.md',
    'docs/confidence.md',
  ],
  'From plain text': ['docs/pipelines.md', 'docs/annotators.md', 'docs/tags.md', 'docs/serve.md'],
  'Comparing and combining': [
    'docs/comparing.md',
    'docs/voting.md',
    'docs/explain.md',
    'docs/other-tools.md',
    'data/experiments/README.md',
    'docs/queue.md',
  ],
  Results: ['docs/results.md', 'docs/speed.md', 'data/sample/README.md'],
  'For programmers': ['docs/api.md', 'docs/extending.md'],
};

/** Where links that are no pages of their own lead to. */
export const aliases = { 'index.ts': 'api.html' };

/**
 * A page of the site: its file there, its title, its text in Markdown, and the path that its links start from.
 * @typedef {{ file: string, title: string, text: string, source: string }} Page
 */

/**
 * All sections of the site with their pages.
 * @returns {Promise<{ title: string, pages: Page[] }[]>}
 */
export async function sections() {
  const written = Object.entries(writtenPages).map(([title, paths]) => ({
    title,
    pages: paths.map(writtenPage),
  }));
  return [
    ...written,
    { title: 'Commands', pages: await commandPages() },
    { title: 'The API, name by name', pages: await apiPages() },
  ];
}

function writtenPage(source) {
  const text = readFileSync(source, 'utf8');
  const [, title] = /^# (.*)$/m.exec(text);
  return { file: siteFile(source), title: title.replaceAll('`', ''), text, source };
}

/** README.md is the first page; another folder's README bears the folder's name. */
export function siteFile(source) {
  if (source === 'README.md') return 'index.html';
  const { dir, name } = posix.parse(source);
  return `${name === 'README' ? posix.basename(dir) : name}.html`;
}
