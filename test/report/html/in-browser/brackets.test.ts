/// <reference lib="dom" />
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { compare } from '../../../../src/evaluate/comparison/compare.ts';
import { comparePhrases } from '../../../../src/evaluate/comparison/compare-phrases.ts';
import { comparisonPage } from '../../../../src/report/html/comparison-page.ts';
import { openTreebank } from '../../../../src/treebank/reading/treebank-file.ts';
import { needsChromium } from '../../../support/chromium.ts';
import { axeViolations, browserPages, excessWidth, isFileOrData } from '../../../support/pages.ts';
import { Sandbox } from '../../../support/sandbox.ts';

const sandbox = new Sandbox('page');

const barks = '(S (NP (NNS Dogs)) (VP (VBP bark)))\n';
const gold = `(S (NP (DT The) (NN cat)) (VP (VBD sat)))\n${barks}`;
const wrong = `(S (NP (DT The)) (VP (NN cat) (VBD sat)))\n${barks}`;

needsChromium.describe('the comparison page of bracketed trees in a browser', () => {
  const openPage = browserPages({ isOwn: isFileOrData });
  let address: string;

  beforeAll(async () => {
    const open = async (name: string, text: string) =>
      openTreebank(sandbox.save(name, text), { expect: 'trees' });
    const outputs = [await open('wrong.mrg', wrong), await open('right.mrg', gold)];
    const { comparison, sentences } = await compare(await open('gold.mrg', gold), outputs, { rounds: 9 });
    const files = ['wrong', 'right'].map((name) => ({ name, file: `${name}.mrg` }));
    const phrases = await comparePhrases(sentences, files, { rounds: 9 });
    const text = await comparisonPage(comparison, sentences, { phrases });
    address = pathToFileURL(sandbox.save('phrases.html', text)).href;
  });

  test('draws phrase trees, gold beside predicted, and marks errors', async () => {
    const page = await openPage(address, { viewport: { width: 375, height: 700 } });
    const labels = (parser: number, tree: number) =>
      page.locator('#phrases .pair').nth(parser).locator('svg').nth(tree).locator('.label').allTextContents();
    expect(await labels(0, 0)).toEqual(['S', '✗ NP', 'DT', 'NN', '✗ VP', 'VBD']);
    expect(await labels(0, 1)).toEqual(['S', '✗ NP', 'DT', '✗ VP', 'NN', 'VBD']);
    expect(await labels(1, 1)).toEqual(['S', 'NP', 'DT', 'NN', 'VP', 'VBD']);
    expect(await axeViolations(page)).toEqual([]);
    expect(await excessWidth(page)).toBe(0);
  });

  test('links each number of brackets to the sentences with these brackets, also by keyboard', async () => {
    const page = await openPage(address);
    const tables = page.locator('#brackets table').filter({ hasText: 'Bracket errors by' });
    const links = await tables.first().locator('tbody tr').filter({ hasText: 'VP' }).getByRole('link').all();
    const behind: [brackets: string | null, sentences: string | null][] = [];
    for (const link of links) {
      await link.focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement?.id === 'sentence-title');
      behind.push([await link.textContent(), await page.locator('#count').textContent()]);
    }
    const one = '1 found, of 2 sentences';
    expect(behind).toEqual([
      ['2', '2 sentences'],
      ['1', one],
      ['1', one],
      ['1', one],
    ]);
    expect(await page.locator('#sentence-title').textContent()).toBe('Sentence 1, 3 words');
    expect(await page.locator('[name=brackets]').inputValue()).toBe('crossing-0');
    expect(await page.getByLabel('Label of the bracket').inputValue()).toBe('VP');
    expect(await page.locator('#trees svg').first().locator('.match .word').allTextContents()).toEqual([
      'cat',
      'sat',
    ]);
    expect(await axeViolations(page)).toEqual([]);
  });

  test('finds the words of brackets by their span, and says if there is no such bracket', async () => {
    const page = await openPage(`${address}#brackets=missing-0&span=2`);
    expect(await page.locator('#trees svg').first().locator('.match .word').allTextContents()).toEqual([
      'The',
      'cat',
    ]);
    const none = await openPage(`${address}#brackets=missing-1`);
    expect(await none.locator('#nothing').isVisible()).toBe(true);
  });
});
