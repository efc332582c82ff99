/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchChromium, needsChromium } from '../support/chromium.ts';
import { hostile } from '../support/page-fixture.ts';
import { Sandbox } from '../support/sandbox.ts';
import { type ServiceHere, serveHere, smallServedModels } from '../support/service.ts';

const sandbox = new Sandbox('serve-page');
const text = 'The old dogs bark all night. Nobody knows why.';

needsChromium.describe('the page of the service in a browser', () => {
  let browser: Browser;
  let service: ServiceHere;
  /** What the page says to the console, and what it asks other hosts for. */
  let troubles: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    const [small, greedy, both] = await smallServedModels(sandbox);
    // The parser of the pipeline, once more, as a third that agrees with the second.
    const third = { ...greedy, name: '<b>third</b>' };
    service = await serveHere([small, greedy, third, both]);
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(troubles).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await service.app.close();
  });

  async function open(hash = '', options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    const page = await context.newPage();
    troubles = [];
    page.on('console', (message) => {
      // A browser tells the console of every answer that is an error.
      if (!/status of 400/.test(message.text())) troubles.push(message.text());
    });
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('dialog', (dialog) => troubles.push(dialog.message()));
    page.on('request', (request) => {
      if (!request.url().startsWith(service.address)) troubles.push(request.url());
    });
    await page.goto(`${service.address}/${hash}`);
    await page.locator('#models input').first().waitFor();
    return page;
  }

  const words = (page: Page) => page.getByLabel('Text, or sentences in CoNLL-U or brackets');
  const parse = async (page: Page, given: string) => {
    await words(page).fill(given);
    await page.getByRole('button', { name: 'Parse', exact: true }).click();
    // Until then, trees of what was asked before may still be there.
    await page.waitForFunction(() => document.querySelector('#status')!.textContent === '');
    await page.locator('#trees svg').first().waitFor();
  };
  const names = (page: Page) => page.locator('#trees figcaption > span:first-child').allTextContents();
  const title = (page: Page) => page.locator('#sentence-title').textContent();
  const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

  test('draws the trees of all models that are no votes, and their vote above them', async () => {
    const page = await open();
    await parse(page, text);
    expect(await names(page)).toEqual(['Vote', 'small-en', 'greedy', '<b>third</b>']);
    expect(await title(page)).toBe('Sentence 1, 7 words');
    expect(await page.locator('#trees svg').nth(2).locator('.word').allTextContents()).toEqual(
      'The old dogs bark all night .'.split(' '),
    );
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await title(page)).toBe('Sentence 2, 4 words');
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  });

  test('parses by Ctrl and Enter, with the models that are chosen', async () => {
    const page = await open();
    await page.getByLabel('greedy', { exact: true }).uncheck();
    await page.getByLabel('<b>third</b>').uncheck();
    await words(page).fill('Dogs bark.');
    await words(page).press('Control+Enter');
    await page.locator('#trees svg').first().waitFor();
    expect(await names(page)).toEqual(['small-en']);
    expect(await page.locator('#ballots').isVisible()).toBe(false);
  });

  /** An answer in which three models are of three minds. */
  const disagreement = {
    models: ['a', 'b', 'c'],
    sentences: [
      {
        forms: ['Dogs', 'bark'],
        trees: [
          {
            model: 'a',
            upos: ['NOUN', 'VERB'],
            xpos: ['_', '_'],
            heads: [2, 0],
            labels: ['nsubj', 'root'],
            conllu: 'A',
          },
          {
            model: 'b',
            upos: ['NOUN', 'VERB'],
            xpos: ['_', '_'],
            heads: [2, 0],
            labels: ['obj', 'root'],
            conllu: 'B',
          },
          {
            model: 'c',
            upos: ['NOUN', 'VERB'],
            xpos: ['_', '_'],
            heads: [0, 1],
            labels: ['root', hostile],
            conllu: 'C',
          },
        ],
        vote: {
          heads: [2, 0],
          labels: ['nsubj', 'root'],
          conllu: 'V',
          ballots: [
            [
              { head: 2, label: 'nsubj', models: ['a'] },
              { head: 2, label: 'obj', models: ['b'] },
              { head: 0, label: 'root', models: ['c'] },
            ],
            [
              { head: 0, label: 'root', models: ['a', 'b'] },
              { head: 1, label: hostile, models: ['c'] },
            ],
          ],
        },
      },
    ],
  };
  const openDisagreement = async () => {
    const page = await open();
    await page.route('**/v1/compare', (route) => route.fulfill({ json: disagreement }));
    await parse(page, 'Dogs bark');
    return page;
  };

  test('marks where a tree differs from the vote, in shape and in words, and says it as a table', async () => {
    const page = await openDisagreement();
    expect(await page.locator('#trees .count').allTextContents()).toEqual([
      'the same',
      '1 of 2 differ',
      '2 of 2 differ',
    ]);
    const svg = page.locator('#trees svg');
    expect(await svg.nth(2).locator('.wrong-label .label').allTextContents()).toEqual(['≠ obj']);
    expect(await svg.nth(3).locator('.wrong-head .label').allTextContents()).toEqual([
      '≠ root',
      `≠ ${hostile}`,
    ]);
    expect(await svg.nth(3).getAttribute('aria-label')).toMatch(/^Tree of c; differs at Dogs, bark\./);
    await page.getByText('The same trees as a table').click();
    const cells = await page.locator('#tree-table tbody tr').first().locator('th, td').allTextContents();
    expect(cells).toEqual([
      '1',
      'Dogs',
      'NOUN',
      'nsubj ← bark (2)',
      'nsubj ← bark (2)',
      '≠ differs: obj ← bark (2)',
      '≠ differs: root ← root of the sentence',
    ]);
  });

  test('shows the ballots on words about which the models differ', async () => {
    const page = await openDisagreement();
    await page.getByText('Ballots', { exact: true }).click();
    const row = page.locator('#ballot-table tbody tr').first();
    expect(await row.locator('li').allTextContents()).toEqual([
      'nsubj ← bark (2) 1 of 3: a',
      'obj ← bark (2) 1 of 3: b',
      'root ← root of the sentence 1 of 3: c',
    ]);
    expect(await page.locator('#ballot-table tbody tr').count()).toBe(2);
  });

  test('copies CoNLL-U and pictures', async () => {
    const page = await open();
    await parse(page, 'Dogs bark.');
    await page.getByRole('button', { name: 'Copy CoNLL-U of small-en' }).click();
    await page.getByText('CoNLL-U of small-en is copied').waitFor();
    expect(await copied(page)).toMatch(/\n1\tDogs\t[^\n]*\n2\tbark\t/);
    await page.getByRole('button', { name: 'Copy SVG of Vote' }).click();
    await page.getByText('SVG of Vote is copied').waitFor();
    expect(await copied(page)).toMatch(/^<svg xmlns[^>]*>[\s\S]*Dogs[\s\S]*<\/svg>\s*$/);
  });

  test('gives a link that restores words, models, vote and sentence', async () => {
    const page = await open();
    await page.getByLabel('greedy', { exact: true }).uncheck();
    await page.getByLabel('their vote').uncheck();
    await parse(page, text);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('the link is copied').waitFor();
    const again = await open(new URL(await copied(page)).hash);
    await again.locator('#trees svg').first().waitFor();
    expect(await title(again)).toBe('Sentence 2, 4 words');
    expect(await names(again)).toEqual(['small-en', '<b>third</b>']);
    expect(await words(again).inputValue()).toBe(text);
    expect(await again.getByLabel('their vote').isChecked()).toBe(false);
  });

  test('shows markup, wherever it stands, as what it is', async () => {
    const page = await open(`#${new URLSearchParams({ words: `${hostile} ${hostile}`, sentence: hostile })}`);
    await page.locator('#trees svg').first().waitFor();
    expect(await page.locator('img, #models b').count()).toBe(0);
    expect(await page.locator('#sentence-text').textContent()).toContain('img');
    const other = await open(`#${new URLSearchParams({ words: 'x', model: hostile })}`);
    expect(await other.getByRole('alert').textContent()).toBe(`There is no model ${hostile} here.`);
    await parse(page, `1\t${hostile}${'\t_'.repeat(8)}\n`);
    expect(await page.locator('#sentence-text').textContent()).toBe(hostile);
  });

  test('takes a file that is dropped, of text, CoNLL-U or brackets', async () => {
    const page = await open();
    const drop = (content: string) =>
      words(page).evaluate((area, given) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([given], 'file'));
        area.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }, content);
    const shown = async (content: string) => {
      await drop(content);
      await page.waitForFunction(
        (given) => document.querySelector<HTMLTextAreaElement>('#words')!.value === given,
        content,
      );
      await parse(page, content);
      return page.locator('#sentence-text').textContent();
    };
    expect(await shown('Cats sleep.')).toBe('Cats sleep .');
    expect(await shown(`# a\n1\tMice${'\t_'.repeat(8)}\n2\trun${'\t_'.repeat(8)}\n`)).toBe('Mice run');
    expect(await shown('(S (NP (NNS Owls)) (VP (VBP fly)))\n')).toBe('Owls fly');
  });

  test('says what is wrong', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Parse', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toBe(
      'There is nothing to parse: type or paste a text.',
    );
    await words(page).fill('1\tDogs\n');
    await page.getByRole('button', { name: 'Parse', exact: true }).click();
    await page.getByText('format not recognised').waitFor();
  });

  test('draws Hebrew from right to left', async () => {
    const page = await open();
    await parse(page, 'הילדה קוראת ספר חדש');
    const places = await page
      .locator('#trees svg')
      .first()
      .locator('.word')
      .evaluateAll((all) => all.map((word) => word.getBoundingClientRect().left));
    expect(places).toEqual(places.toSorted((a, b) => b - a));
    expect(await page.locator('#sentence-text').getAttribute('dir')).toBe('rtl');
  });

  test('is as wide as a phone, and scrolls wide trees in their box', async () => {
    const page = await open('', { viewport: { width: 320, height: 600 } });
    await parse(page, text);
    const { inner, outer } = await page.evaluate(() => {
      const trees = document.querySelector('#trees')!;
      const root = document.documentElement;
      return { inner: trees.scrollWidth - trees.clientWidth, outer: root.scrollWidth - root.clientWidth };
    });
    expect(inner).toBeGreaterThan(0);
    expect(outer).toBe(0);
  });

  test.each(['light', 'dark'] as const)('axe finds nothing, in the %s', async (colorScheme) => {
    const page = await open('', { colorScheme });
    await page.route('**/v1/compare', (route) => route.fulfill({ json: disagreement }));
    await parse(page, 'Dogs bark');
    await page.getByText('Ballots', { exact: true }).click();
    await page.getByText('The same trees as a table').click();
    const dark = colorScheme === 'dark' ? 'rgb(13, 17, 23)' : 'rgb(255, 255, 255)';
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(dark);
    // Not as an element of the page, which takes no script but its own.
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      };
      const found = await axe.run();
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
    });
    expect(violations).toEqual([]);
  });
});
