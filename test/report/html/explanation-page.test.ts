/// <reference lib="dom" />
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { trainParser } from '../../../combine/train-parser.ts';
import type { ParseExplanation } from '../../../src/explain/explanation.ts';
import { framesOf } from '../../../src/report/explanation/frames.ts';
import { explanationPage } from '../../../src/report/html/explanation-page.ts';
import { FirstSentences } from '../../../src/treebank/first-sentences.ts';
import { readSentences } from '../../../src/treebank/reading/read-sentences.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { launchChromium, needsChromium } from '../../support/chromium.ts';
import { sampleText } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { inflected } from '../../support/small-pipeline.ts';

const sandbox = new Sandbox('explanation');
const hostile = '</script><img/src=x/onerror=alert(1)>"\'&amp;';
const [, plain] = readSentences(sampleText('dev'));
/** Words that try to leave their place in the page. */
const sentence: Sentence = {
  ...plain,
  forms: plain.forms.map((form, d) => (d === 3 ? hostile : form)),
  id: hostile,
};

async function explained(paradigm: string, options: object): Promise<ParseExplanation> {
  const { parser } = await trainParser(paradigm, new FirstSentences(inflected('train'), 50), { options });
  return parser.explain!(sentence, { gold: sentence });
}

const steps = explained('transition', { epochs: 1, bits: 14, beam: 1 });
const rounds = explained('graph', { epochs: 1, bits: 14 });

describe('moments of a search', () => {
  test.each([
    ['steps', () => steps],
    ['rounds', () => rounds],
    ['spans', () => explained('graph', { epochs: 1, bits: 14, decoder: 'eisner' })],
  ])('the last of the %s shows the tree, and each tells which arcs are new in it', async (_name, get) => {
    const whole = await get();
    const frames = framesOf(whole);
    expect(frames.at(-1)!.heads).toEqual(whole.tree.heads);
    frames.forEach(({ heads, fresh }, i) => {
      const before = frames[i - 1]?.heads ?? heads.map(() => -1);
      expect(fresh).toEqual([...heads.keys()].filter((d) => heads[d] !== before[d] && heads[d] !== -1));
    });
  });
});

test('all that the page says of a sentence is escaped', async () => {
  const page = explanationPage(await rounds, { title: hostile });
  expect(page).not.toContain('<img');
  expect(page).toContain('&#60;img');
});

needsChromium.describe('the page in a browser', () => {
  let browser: Browser;
  const addresses = new Map<string, string>();
  let troubles: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    for (const [name, explanation] of Object.entries({ steps: await steps, rounds: await rounds })) {
      const file = sandbox.save(`${name}.html`, explanationPage(explanation));
      addresses.set(name, pathToFileURL(file).href);
    }
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(troubles).toEqual([]);
  });
  afterAll(() => browser.close());

  async function open(name: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage();
    troubles = [];
    page.on('console', (message) => troubles.push(message.text()));
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('dialog', (dialog) => troubles.push(dialog.message()));
    page.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) troubles.push(request.url());
    });
    await page.goto(addresses.get(name)!);
    return page;
  }

  const place = (page: Page) => page.locator('#place').textContent();
  const shownArcs = (page: Page) => page.locator('.picture:not(.away) g:not(.away) path.arc').count();

  test('goes forward and back by buttons, keys and slider, and shows the arcs that there are', async () => {
    const page = await open('steps');
    const count = (await page.locator('.frame').count()).toString();
    expect(await place(page)).toBe(`1 of ${count}`);
    expect(await page.locator('.frame:visible').count()).toBe(1);
    const before = await shownArcs(page);
    await page.getByRole('button', { name: 'Forward' }).click();
    expect(await place(page)).toBe(`2 of ${count}`);
    await page.locator('h1').click();
    await page.keyboard.press('ArrowRight');
    expect(await place(page)).toBe(`3 of ${count}`);
    await page.keyboard.press('ArrowLeft');
    expect(await place(page)).toBe(`2 of ${count}`);
    await page.getByRole('slider').fill(count);
    expect(await place(page)).toBe(`${count} of ${count}`);
    expect(await shownArcs(page)).toBe(sentence.length);
    expect(before).toBeLessThan(sentence.length);
    expect(await page.getByRole('button', { name: 'Forward' }).isDisabled()).toBe(true);
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await place(page)).toBe(`${Number(count) - 1} of ${count}`);
  });

  test('what changes is marked, and said to those who cannot see it', async () => {
    const page = await open('steps');
    const index = framesOf(await steps).findIndex(({ fresh }) => fresh.length > 0);
    await page.getByRole('slider').fill(String(index + 1));
    expect(await page.locator('.picture:not(.away) g.here:not(.away) path.arc').count()).toBe(1);
    expect(await page.locator('#frames').getAttribute('aria-live')).toBe('polite');
    const title = await page.locator('.frame:visible h3').textContent();
    expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toBe(title);
  });

  test('the heat map has a cell for every arc, those of the tree marked', async () => {
    const page = await open('rounds');
    const cells = page.locator('.heat td');
    expect(await cells.count()).toBe((sentence.length + 1) * sentence.length);
    const texts = await cells.allTextContents();
    expect(texts.filter((text) => text.includes('◆'))).toHaveLength(sentence.length);
  });

  test('on a narrow screen only tables and pictures scroll sideways', async () => {
    for (const name of ['steps', 'rounds']) {
      const page = await open(name, { viewport: { width: 375, height: 700 } });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, name).toBeLessThanOrEqual(375);
    }
  });

  test('is dark where the system is, or the user wants it', async () => {
    const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await open('steps', { colorScheme: 'dark' });
    const light = await open('steps', { colorScheme: 'light' });
    expect(await ground(dark)).not.toBe(await ground(light));
    await light.getByLabel('Theme').selectOption('dark');
    expect(await ground(light)).toBe(await ground(dark));
  });

  test('without scripts all steps are there to be read', async () => {
    const page = await open('steps', { javaScriptEnabled: false });
    expect(await page.locator('.frame:visible').count()).toBe(await page.locator('.frame').count());
    expect(await page.locator('#stepper').isVisible()).toBe(false);
  });
});
