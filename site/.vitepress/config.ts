import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { defineConfig, type MarkdownEnv, type MarkdownRenderer } from 'vitepress';
import { processTerm, searchOptions, splitIntoSections, tokenize } from './search.ts';

const repository = resolve(import.meta.dirname, '../..');
const generated = join(repository, 'site/generated');
const playground = join(repository, 'dist/playground');
/** Embedded in each page, since a link would depend on the address of the site. */
const logo = readFileSync(join(repository, 'site/public/logo.svg'), 'utf8').trim();
// The extension of a file that VitePress would otherwise take for a page.
process.env.VITE_EXTRA_EXTENSIONS = 'cff';
/** Files of the repository that pages link to. */
const linked = new Set<string>();

const docs = {
  Start: [
    'README',
    'docs/guide',
    'docs/cookbook',
    'docs/practice',
    'docs/teaching',
    'docs/teaching-advanced',
    'docs/glossary',
    'docs/others',
    'docs/other-tools',
  ],
  'Text to trees': [
    'docs/models',
    'docs/pipelines',
    'models/english/README',
    'models/english-fast/README',
    'docs/annotators',
    'docs/tags',
    'docs/vectors',
    'docs/encoders',
    'docs/encoders-published',
  ],
  Parsers: [
    'docs/graph',
    'docs/transitions',
    'docs/yamada-matsumoto',
    'docs/network',
    'docs/network-tags',
    'docs/bigram',
    'docs/phrases',
    'docs/support-vector-machines',
    'docs/templates',
    'docs/stacking',
  ],
  'Compare and combine': [
    'docs/comparing',
    'docs/voting',
    'docs/voting-members',
    'docs/distilling',
    'docs/adapting',
    'docs/confidence',
  ],
  'Look inside and correct': [
    'docs/explain',
    'docs/explain-fields',
    'docs/finding',
    'docs/annotating',
    'docs/sampling',
  ],
  'At work': ['docs/serve', 'docs/corpora', 'docs/queue', 'data/experiments/README', 'docs/web'],
  Figures: ['docs/results', 'docs/speed', 'docs/notes', 'data/sample/README'],
  Programs: [
    'docs/api',
    'docs/api-sentences',
    'docs/api-compare',
    'docs/api-text',
    'docs/extending',
    'CONTRIBUTING',
    'CHANGELOG',
  ],
};

const unlisted = readdirSync(join(repository, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name.slice(0, -3)}`)
  .filter((page) => !Object.values(docs).flat().includes(page));

/** Returns the path of a page in the site: the path of its file, with README.md as the index of its folder. */
function address(file: string): string {
  if (file === 'README.md') return 'start.md';
  return file.replace(/^site\/(generated\/)?/, '').replace(/README\.md$/, 'index.md');
}

/** Names in the sidebar, where they differ from the titles of the pages. */
const names: Readonly<Record<string, string>> = {
  README: 'Five minutes',
  'models/english/README': 'The English model',
  'models/english-fast/README': 'The fast English model',
  'docs/graph': 'Graph-based parsers',
};

function item(page: string) {
  const [, title = page] = /^# (.*)$/m.exec(readFileSync(join(repository, `${page}.md`), 'utf8')) ?? [];
  const text = names[page] ?? title.replace(/:.*| \(.*/, '').replace(/^parliament /, '');
  return { text, link: `/${address(`${page}.md`).replace(/(index)?\.md$/, '')}` };
}

/** Returns the pages of a generated folder, in the order of its index. */
function listed(folder: string) {
  const index = readFileSync(join(generated, folder, 'index.md'), 'utf8');
  return Array.from(index.matchAll(/\]\(([^)]*)\.md\)/g), ([, name]) =>
    item(`site/generated/${folder}/${name}`),
  );
}

/** Adapts links and code blocks, which are written for code hosts, to the site. */
function adapt(md: MarkdownRenderer): void {
  md.core.ruler.push('repository', ({ tokens, env }) => {
    for (const token of tokens) {
      // As fenced code, indented code can be scrolled, too.
      if (token.type === 'code_block') Object.assign(token, { type: 'fence', info: 'text' });
      if (token.type === 'fence' && token.info === 'console') token.info = 'sh'; // copied without `$`
      if (token.type === 'fence' && /^(query|templates)\b/.test(token.info)) token.info = 'text';
      for (const link of token.children?.filter(({ type }) => type === 'link_open') ?? []) {
        const href = String(link.attrGet('href'));
        if (/^([a-z]+:|#)/.test(href)) continue;
        const file = relative(
          repository,
          resolve(dirname(env.realPath ?? env.path), href.replace(/#.*/, '')),
        );
        if (/\.(cff|json|ts)$/.test(file)) linked.add(file);
        link.attrSet(
          'href',
          href.replace(/[^/]*\.md/, () => address(file).replace(/.*\//, '')),
        );
      }
    }
  });
}

const searched = new Map<string, Promise<string>>();

/** Renders a page for the search index: only once, although the site is built twice, as browser code and as pages. */
function searchedText(source: string, env: MarkdownEnv, md: MarkdownRenderer): Promise<string> {
  const text = searched.get(env.path) ?? md.renderAsync(source, env);
  searched.set(env.path, text);
  return text;
}

export default defineConfig({
  title: 'Parliament',
  description: 'Train, compare and combine parsers.',
  lang: 'en',
  base: './',
  srcDir: '..',
  outDir: 'dist',
  cacheDir: '../node_modules/.vitepress',
  srcExclude: ['{test,.ci,node_modules,coverage}/**', '**/dist/**'],
  rewrites: address,
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(logo)}` }]],
  markdown: {
    anchor: {
      slugify: (title) =>
        title
          .toLowerCase()
          .replace(/[^\p{L}\p{N}_ -]/gu, '')
          .trim()
          .replaceAll(' ', '-'),
    },
    config: adapt,
    // By default a line that takes half a second is not highlighted: pages would depend on the load of the machine.
    codeTransformers: [{ preprocess: (_, options) => void Object.assign(options, { tokenizeTimeLimit: 0 }) }],
  },
  vite: { publicDir: join(repository, 'site/public'), build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Guide', link: '/docs/guide' },
      { text: 'Cookbook', link: '/docs/cookbook' },
      { text: 'Commands', link: '/commands/', activeMatch: '/commands/' },
      { text: 'API', link: '/docs/api', activeMatch: '/api' },
      { text: 'Results', link: '/docs/results' },
      ...(existsSync(playground)
        ? [{ text: 'Playground', link: '/playground/index.html', target: '_self' }]
        : []),
    ],
    sidebar: {
      '/': Object.entries(unlisted.length > 0 ? { ...docs, More: unlisted } : docs).map(([text, pages]) => ({
        text,
        items: pages.map(item),
      })),
      '/commands/': [{ text: 'Commands', link: '/commands/', items: listed('commands') }],
      '/api/': [{ text: 'API', link: '/docs/api', items: listed('api') }],
    },
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          options: { tokenize, processTerm },
          searchOptions,
          _splitIntoSections: splitIntoSections,
        },
        _render: searchedText,
      },
    },
  },
  buildEnd({ outDir }) {
    for (const file of linked) {
      mkdirSync(dirname(join(outDir, file)), { recursive: true });
      copyFileSync(join(repository, file), join(outDir, file));
    }
    if (existsSync(playground)) cpSync(playground, join(outDir, 'playground'), { recursive: true });
  },
});
