import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { needsChromium } from '../support/chromium.ts';
import { axeViolations, browserPages } from '../support/pages.ts';

const site = join(packageFolder, 'site/dist');
/** The path at which the site is served: not the top, for the site must work at any path. */
const base = '/some/where/';
let server: PreviewServer;
let origin: string;

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['site/build.mjs'], { cwd: packageFolder, maxBuffer: 1e8 });
  server = await preview({
    root: dirname(site),
    base,
    configFile: false,
    appType: 'mpa',
    build: { outDir: 'dist' },
    preview: { port: 0 },
  });
  origin = new URL(server.resolvedUrls!.local[0]!).origin;
}, 900_000);
afterAll(() => server.close());

describe('the site', () => {
  test('has only links to existing pages and headings, and no id twice on a page', () => {
    const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.html'),
    );
    const ids = new Map(
      pages.map((name) => [
        name,
        Array.from(readFileSync(join(site, name), 'utf8').matchAll(/\sid="([^"]*)"/g), ([, id]) => id!),
      ]),
    );
    expect(pages.length).toBeGreaterThan(90);
    expect(pages.filter((name) => new Set(ids.get(name)).size < ids.get(name)!.length)).toEqual([]);
    const broken = (from: string, href: string): boolean => {
      if (/^(https?|data|mailto):/.test(href)) return false;
      const [path, id] = href.split('#');
      let file = path === '' ? from : relative(site, join(site, dirname(from), path!));
      if (existsSync(join(site, file, 'index.html'))) file = join(file, 'index.html');
      if (!existsSync(join(site, file))) return true;
      return Boolean(id) && file.endsWith('.html') && !ids.get(file)!.includes(decodeURIComponent(id!));
    };
    const links = pages
      .filter((name) => name !== '404.html')
      .flatMap((name) =>
        Array.from(
          readFileSync(join(site, name), 'utf8').matchAll(/\s(?:href|src)="([^"]*)"/g),
          ([, href]) => ({
            name,
            href: href!.replaceAll('&amp;', '&'),
          }),
        ),
      );
    expect(links.length).toBeGreaterThan(5000);
    expect(links.filter(({ name, href }) => broken(name, href))).toEqual([]);
  });
});

needsChromium.describe('the site in a browser', () => {
  const openPage = browserPages({
    isOwn: (url) => url.startsWith(origin + base) || url.startsWith('data:'),
    keepsData: true,
  });
  const open: typeof openPage = async (...args) => {
    const page = await openPage(...args);
    // Until Vue has mounted the page, keys and buttons do nothing.
    await page.waitForFunction(() => '__vue_app__' in document.querySelector('#app')!);
    return page;
  };
  const address = (path: string) => `${origin}${base}${path}`;

  // Queries, and the pages of which one should be the first or second result.
  const sought: readonly (readonly [string, RegExp])[] = [
    ['docker', /docs\/serve/],
    ['beam size', /docs\/transitions/],
    ['unlabeled', /docs\/comparing/],
    ['raw text', /docs\/pipelines/],
    ['--n-best', /commands\/parse\.html#--n-best/],
    ['--vectors', /commands\/train-network\.html#--vectors/],
    ['dropout', /docs\/network/],
    ['learning rate', /docs\/network/],
    ['how to vote', /docs\/voting/],
    ['significance test', /docs\/comparing/],
    ['confusion matrix', /docs\/comparing/],
    ['pcfg', /commands\/train-pcfg|docs\/phrases/],
    ['serve http', /docs\/serve/],
    ['tokenizer', /commands\/train-tokenizer|docs\/annotators/],
    ['ready model', /docs\/(models|pipelines)/],
    ['python stanza', /docs\/other-tools/],
    ['non-projective', /docs\/transitions/],
    ['word embeddings', /docs\/vectors/],
    ['why did it attach', /docs\/cookbook|docs\/explain/],
    ['active learning', /docs\/sampling/],
    ['bert', /docs\/encoders/],
    ['loadParser', /api\/parse/],
  ];

  test('search finds the right page first or second', async () => {
    const page = await open(address('docs/guide.html'));
    await page.keyboard.press('Control+k');
    const results = page.locator('.results a.result');
    const missed: string[] = [];
    for (const [query, expected] of sought) {
      await page.locator('.search-input').fill(query);
      const first = async () =>
        (await results.evaluateAll((all) => all.slice(0, 2).map((link) => link.getAttribute('href')))).join(
          ' ',
        );
      // The results of the query before may stay for a moment.
      const isFound = vi.waitUntil(async () => expected.test(await first()), { timeout: 60_000 });
      await isFound.catch(async () => missed.push(`${query}: ${await first()}`));
    }
    expect(missed).toEqual([]);
  });

  test.each([
    '',
    'docs/voting.html',
    'docs/cookbook.html',
    'docs/support-vector-machines.html',
    'commands/train-network.html',
    'api/experiment.html',
    'api/treebank.html',
  ])(
    '/%s is accessible and not too wide, in a wide window in light mode and a narrow one in dark mode',
    async (path) => {
      const page = await open(address(path));
      for (const [width, colorScheme] of [
        [1400, 'light'],
        [390, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        expect(await axeViolations(page, ['serious', 'critical'])).toEqual([]);
        const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(tooWide).toBeLessThanOrEqual(0);
      }
    },
  );

  test('commands are copied without their prompt', async () => {
    const page = await open(address('docs/serve.html'), {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const block = page.locator('.language-sh').first();
    await block.hover();
    await block.locator('button.copy').click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^parliament /);
  });
});
