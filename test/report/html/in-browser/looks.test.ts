/// <reference lib="dom" />
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { findPage } from '../../../../src/report/html/find-page.ts';
import { readSentences } from '../../../../src/treebank/reading/treebank-file.ts';
import { needsChromium } from '../../../support/chromium.ts';
import { comparisonInBrowser } from '../../../support/comparison-in-browser.ts';
import { conlluSentence } from '../../../support/conllu.ts';
import { axeViolations, excessWidth, groundOf } from '../../../support/pages.ts';
import { Sandbox } from '../../../support/sandbox.ts';

const sandbox = new Sandbox('page');

needsChromium.describe('a report page in a browser', () => {
  const open = comparisonInBrowser(sandbox);

  test('is light or dark as the system prefers or the user chooses, and light on paper', async () => {
    const page = await open('', { colorScheme: 'dark' });
    const colours = () =>
      page.evaluate(() => [
        getComputedStyle(document.body).backgroundColor,
        getComputedStyle(document.querySelector('#trees .word')!).fill,
      ]);
    const dark = ['rgb(20, 22, 26)', 'rgb(236, 234, 228)'];
    const light = ['rgb(252, 252, 250)', 'rgb(29, 31, 36)'];
    expect(await colours()).toEqual(dark);
    await page.getByLabel('Theme').selectOption('light');
    expect(await colours()).toEqual(light);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByLabel('Theme').selectOption('dark');
    expect(await colours()).toEqual(dark);
    const closed = await page.locator('details:not([open])').count();
    expect(closed).toBeGreaterThan(0);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    expect(await colours()).toEqual(light);
    expect(await page.locator('details:not([open])').count()).toBe(0);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await colours()).toEqual(dark);
    expect(await page.locator('details:not([open])').count()).toBe(closed);
  });

  test('matches its form fields, also when the user comes back to the page', async () => {
    const page = await open();
    await page.getByLabel('Theme').selectOption('dark');
    await page.locator('#drawn input').first().uncheck();
    await page.goto('about:blank');
    await page.goBack();
    const drawn = page.locator('#drawn input:checked');
    await expect.poll(() => page.locator('#trees figure').count()).toBe(await drawn.count());
    const isDark = (await page.getByLabel('Theme').inputValue()) === 'dark';
    await expect.poll(() => groundOf(page)).toBe(isDark ? 'rgb(20, 22, 26)' : 'rgb(252, 252, 250)');
  });

  test('scrolls wide trees inside their box, never the whole page', async () => {
    const page = await open('', { viewport: { width: 320, height: 600 } });
    const { inner, outer } = await page.evaluate(() => {
      const trees = document.querySelector('#trees')!;
      const root = document.documentElement;
      return { inner: trees.scrollWidth - trees.clientWidth, outer: root.scrollWidth - root.clientWidth };
    });
    expect(inner).toBeGreaterThan(0);
    expect(outer).toBe(0);
  });

  test('prints found sentences with whole trees, and scrolls Hebrew trees from the right', async () => {
    const [sentence] = readSentences(conlluSentence('ילדה/NOUN/0/root '.repeat(40).trim()));
    const matches = [{ number: 1, sentence, names: new Map() }];
    const file = sandbox.save('found.html', findPage('V', [{ file: 'a.conllu', summary: '', matches }]));
    const page = await open('', { viewport: { width: 500, height: 600 } }, pathToFileURL(file).href);
    const box = page.locator('.scroll');
    expect(await box.getAttribute('dir')).toBe('rtl');
    await page.emulateMedia({ media: 'print' });
    expect(await box.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  });

  test('draws charts with legible text on a phone, and shades the edge of trees that can be scrolled', async () => {
    const page = await open('', { viewport: { width: 390, height: 600 } });
    const heights = await page
      .locator('.plots .tag')
      .evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThan(11);
    const shades = await page
      .locator('#trees')
      .evaluate((trees) => getComputedStyle(trees).backgroundAttachment);
    expect(shades).toBe('local, scroll');
  });

  test.each([390, 1280])('shows all links of its navigation, %d pixels wide', async (width) => {
    const page = await open('', { viewport: { width, height: 800 } });
    const cut = await page
      .locator('nav a')
      .evaluateAll(
        (links) =>
          links
            .map((link) => link.getBoundingClientRect())
            .filter(({ left, right }) => left < 0 || right > document.documentElement.clientWidth).length,
      );
    expect(await page.locator('nav a').count()).toBe(8);
    expect(cut).toBe(0);
    await page.locator('nav a').last().click();
    const { y } = (await page.locator('#sentences-title').boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(width < 640 ? 0 : (await page.locator('nav').boundingBox())!.height);
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 375],
  ] as const)(
    'has no accessibility problems that axe finds, in the %s theme, %d pixels wide',
    async (colorScheme, width) => {
      const page = await open('#word=bird', { colorScheme, viewport: { width, height: 800 } });
      await page.locator('details').evaluateAll((all) => {
        for (const details of all) (details as HTMLDetailsElement).open = true;
      });
      expect(await axeViolations(page)).toEqual([]);
      expect(await excessWidth(page)).toBe(0);
    },
  );
});
