/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { needsChromium } from '../../../support/chromium.ts';
import { comparisonInBrowser } from '../../../support/comparison-in-browser.ts';
import { hostile, pageParsers } from '../../../support/page-fixture.ts';
import { axeViolations, expectRightToLeft } from '../../../support/pages.ts';
import { Sandbox } from '../../../support/sandbox.ts';

const sandbox = new Sandbox('page');

/** The title of the sentence that is shown. */
const title = (page: Page) => page.locator('#sentence-title').textContent();
/** The text that says how many sentences are found. */
const found = (page: Page) => page.locator('#count').textContent();

needsChromium.describe('the sentence browser of the comparison page', () => {
  const open = comparisonInBrowser(sandbox);

  test('shows the first sentence with the gold tree and every parser’s tree', async () => {
    const page = await open();
    expect(await title(page)).toBe('Sentence 1, 6 words');
    expect(await page.locator('#sentence-text').textContent()).toBe('The cat saw a bird .');
    const names = await page.locator('#trees figcaption > span:first-child').allTextContents();
    expect(names).toEqual(['Gold', ...pageParsers]);
    expect(await page.locator('#trees svg').nth(1).locator('.word').allTextContents()).toEqual([
      'The',
      'cat',
      'saw',
      'a',
      'bird',
      '.',
    ]);
  });

  test('marks wrong heads and wrong labels of right heads, by shape and by text', async () => {
    const page = await open();
    const svg = page.locator('#trees svg');
    expect(await svg.nth(0).locator('.wrong-head, .wrong-label').count()).toBe(0);
    expect(await svg.nth(1).locator('.wrong-head .label').allTextContents()).toEqual(['✗\u2002nmod']);
    expect(await svg.nth(2).locator('.wrong-head .label').allTextContents()).toEqual(['✗\u2002punct']);
    expect(await svg.nth(2).locator('.wrong-label .label').allTextContents()).toEqual(['✗\u2002iobj']);
    const dashes = (kind: string) =>
      svg
        .nth(2)
        .locator(`.${kind} .arc`)
        .first()
        .evaluate((arc) => getComputedStyle(arc).strokeDasharray);
    expect(await dashes('wrong-head')).not.toBe('none');
    expect(await dashes('wrong-label')).toBe('none');
    expect(await page.locator('#trees .count').allTextContents()).toEqual(['1 of 6 wrong', '2 of 6 wrong']);
  });

  test('finds the words that a query matches, also by parser, and explains what is wrong with a query', async () => {
    const page = await open();
    await page.fill('#query', `N [only-wrong=${JSON.stringify(pageParsers[0])}]`);
    expect(await found(page)).toMatch(/^1 found, of /);
    expect(await page.locator('#trees .match').count()).toBeGreaterThan(0);
    await page.fill('#query', 'N [');
    expect(await page.locator('#nothing').textContent()).toMatch(/^query: /);
    await page.fill('#query', 'V -[nsubj]-> S; S << V');
    expect(await title(page)).toMatch(/^Sentence /);
  });

  test('shows the trees as a table, with the gold and the predicted heads and labels of each word', async () => {
    const page = await open();
    await page.getByText('The same trees as a table').click();
    const cells = await page.locator('#tree-table tbody tr').nth(4).locator('th, td').allTextContents();
    expect(cells).toEqual([
      '5',
      'bird',
      'NOUN',
      'obj ← saw (3)',
      '✗ wrong: nmod ← cat (2)',
      '✗ wrong: iobj ← saw (3)',
    ]);
    const heads = await page.locator('#tree-table thead th').allTextContents();
    expect(heads).toEqual(['No.', 'Word', 'Tag', 'Gold', ...pageParsers]);
  });

  test('shows HTML in words, labels, tags, ids and names as plain text', async () => {
    const page = await open('#sentence=4');
    expect(await page.locator('#sentence-text').textContent()).toBe(`a ${hostile}`);
    expect(await page.locator('#sentence-id').textContent()).toBe(hostile);
    expect(await page.locator('#trees svg').first().locator('.label').allTextContents()).toEqual([
      hostile,
      'root',
    ]);
    expect(await page.locator('#trees svg').first().locator('.tag').allTextContents()).toEqual(['X', '<b>']);
    expect(await page.locator('img, i').count()).toBe(0);
  });

  test.each(['word=BIRD', 'gold=obj&from=5', 'predicted=iobj', 'to=6&wrong=1&right=0&gold=punct'])(
    'finds the sentence that matches #%s',
    async (filter) => {
      const page = await open(`#${filter}`);
      expect(await title(page)).toBe('Sentence 1, 6 words');
      expect(await found(page)).toBe('1 found, of 4 sentences');
    },
  );

  test('shows only sentences in which one parser is right and the other wrong, and highlights the word', async () => {
    const page = await open();
    await page.getByLabel('Right is').selectOption(hostile);
    await page.getByLabel('Wrong is').selectOption(pageParsers[0]);
    expect(await found(page)).toBe('1 found, of 4 sentences');
    expect(await title(page)).toBe('Sentence 2, 4 words');
    expect(await page.locator('#trees svg').first().locator('.match .word').allTextContents()).toEqual([
      'חדש',
    ]);
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await found(page)).toBe('4 sentences');
  });

  test('says if no sentence matches', async () => {
    const page = await open();
    await page.getByLabel('It contains').fill('no such word');
    expect(await found(page)).toBe('0 found, of 4 sentences');
    expect(await page.locator('#nothing').isVisible()).toBe(true);
    expect(await page.locator('#shown').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  });

  test('orders sentences by errors, and draws only the selected trees', async () => {
    const page = await open('#order=errors');
    expect(await title(page)).toBe('Sentence 1, 6 words');
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await title(page)).toBe('Sentence 4, 2 words');
    await page.getByRole('checkbox', { name: 'Gold' }).uncheck();
    expect(await page.locator('#trees figcaption > span:first-child').allTextContents()).toEqual(pageParsers);
  });

  test('moves between sentences by keys, except while the user types or if keys are switched off', async () => {
    const page = await open();
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    await page.keyboard.press('p');
    expect(await title(page)).toBe('Sentence 2, 4 words');
    await page.keyboard.press('/');
    await page.keyboard.type('n');
    expect(await page.getByLabel('It contains').inputValue()).toBe('n');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('Keys', { exact: true }).click();
    await page.locator('#keys').uncheck();
    await page.keyboard.press('n');
    expect(await title(page)).toBe('Sentence 1, 6 words');
  });

  test('moves the focus by Tab through the filter, the steps, the choice of trees, the trees and the table', async () => {
    const page = await open();
    await page.getByLabel('It contains').focus();
    const reached: string[] = [];
    for (let i = 0; i < 22; i++) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(() => {
        const { id, name, tagName, value } = document.activeElement as HTMLInputElement;
        return id || name || value || tagName.toLowerCase();
      });
      reached.push(name);
    }
    expect(reached).toEqual([
      ...[
        'query',
        'tag',
        'gold',
        'predicted',
        'right',
        'wrong',
        'error',
        'distance',
        'from',
        'to',
        'order',
        'all',
      ],
      ...['summary', 'next', 'position', '-1', '0', '1', 'fold', 'trees', 'save-trees', 'summary'],
    ]);
  });

  test('gives every field and every picture a name for screen readers', async () => {
    const page = await open();
    const nameless = await page.evaluate(() => {
      const fields = [...document.querySelectorAll<HTMLInputElement>('input, select')];
      const pictures = [...document.querySelectorAll('svg:not([aria-hidden])')];
      return [
        ...fields.filter(({ labels }) => !labels?.[0]?.textContent?.trim()).map(({ id, name }) => id || name),
        ...pictures.filter(
          (svg) => !svg.getAttribute('aria-label') && !svg.querySelector('title')?.textContent,
        ),
      ];
    });
    expect(nameless).toEqual([]);
    expect(await page.locator('#trees svg').nth(1).getAttribute('aria-label')).toBe(
      `Tree of ${pageParsers[0]}; wrong at bird. The table below says it in words.`,
    );
    expect(await page.locator('#sentence-title').locator('..').getAttribute('aria-live')).toBe('polite');
  });

  test.each([2, 3])('draws sentence %d, in a right-to-left script, from right to left', async (number) => {
    const page = await open(`#sentence=${number}`);
    await expectRightToLeft(page.locator('#trees svg').first().locator('.word'));
    expect(await page.locator('#sentence-text').getAttribute('dir')).toBe('rtl');
  });

  test('links a number of the confusions to the sentences that it counts', async () => {
    const page = await open();
    await page.locator('#errors a[href*="nmod"]').first().click();
    expect(await found(page)).toBe('1 found, of 4 sentences');
    expect(
      await page.locator('#sentence-title').evaluate((heading) => heading === document.activeElement),
    ).toBe(true);
  });

  test('links each score of a parser to the sentences with its errors, also by keyboard', async () => {
    const page = await open();
    const row = page.locator('#scores table').first().locator('tbody tr').nth(1);
    const links = row.getByRole('link');
    const behind: [score: string | null, sentences: string | null][] = [];
    for (const link of await links.all()) {
      await link.focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement?.id === 'sentence-title');
      behind.push([await link.textContent(), await found(page)]);
    }
    const three = '3 found, of 4 sentences';
    expect(behind).toEqual([
      ['73.33', three],
      ['66.67', three],
      ['73.33', three],
      ['75.00', '1 found, of 4 sentences'],
      ['25.00', three],
      ['25.00', three],
    ]);
    expect(await page.getByLabel('Wrong is').inputValue()).toBe('1');
    expect(await axeViolations(page)).toEqual([]);
  });

  test('shows a sentence again if its link is clicked again after the user has moved elsewhere', async () => {
    const page = await open();
    const link = page.locator('#differing a[href="#sentence=2"]');
    const isShown = () =>
      page.locator('#sentence-title').evaluate((heading) => heading === document.activeElement);
    await link.click();
    await page.evaluate(() => {
      document.querySelector('h1')!.scrollIntoView();
      (document.activeElement as HTMLElement).blur();
    });
    await link.click();
    expect(await isShown()).toBe(true);
    await page.keyboard.press('n');
    expect(await title(page)).toBe('Sentence 3, 3 words');
    await link.click();
    expect(await title(page)).toBe('Sentence 2, 4 words');
    expect(await isShown()).toBe(true);
  });

  test('keeps its address up to date, so that opening the address shows the same sentence', async () => {
    const page = await open('#scores');
    await page.keyboard.press('n');
    await page.waitForURL(/#sentence=2$/);
    await page.getByLabel('Wrong is').selectOption(hostile);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/#wrong=1&sentence=3$/);
    const again = await open(new URL(page.url()).hash);
    expect(await title(again)).toBe('Sentence 3, 3 words');
    expect(await found(again)).toBe('3 found, of 4 sentences');
    expect(await again.getByLabel('Wrong is').inputValue()).toBe('1');
  });

  test.each([
    ['sentence=99999', 'There is no sentence 99999.'],
    ['sentence=first', 'There is no sentence first.'],
    ['gold=det&sentence=2', 'There is no sentence 2 among those found.'],
    ['gold=nosuch', 'Nothing here has gold = nosuch.'],
    ['wrong=7', 'Nothing here has wrong = 7.'],
    ['phrase=NP', 'Nothing here has phrase = NP.'],
  ])('says that nothing matches #%s', async (address, message) => {
    const page = await open(`#${address}`);
    expect(await page.locator('#nothing').textContent()).toBe(message);
    expect(await page.locator('#shown').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await title(page)).toBe('Sentence 1, 6 words');
    expect(await page.locator('#nothing').isVisible()).toBe(false);
  });

  test('explains what is wrong with an invalid regular expression or range', async () => {
    const page = await open();
    await page.getByLabel('It contains').fill('/(/');
    expect(await page.locator('#nothing').textContent()).toMatch(/Invalid regular expression/);
    await page.getByLabel('It contains').fill('/b.rd/');
    expect(await title(page)).toBe('Sentence 1, 6 words');
    await page.getByLabel('Distance of the head').fill('far');
    expect(await page.locator('#nothing').textContent()).toMatch(/^far is neither a number,/);
  });

  test('opens the list of further conditions if the address contains one of them', async () => {
    const page = await open('#head-tag=NOUN&right=only-1');
    expect(await page.locator('#more').getAttribute('open')).not.toBeNull();
    expect(await page.locator('[name=head-tag]').inputValue()).toBe('NOUN');
    expect(await found(page)).toBe('1 found, of 4 sentences');
    expect(await title(page)).toBe('Sentence 2, 4 words');
  });
});
