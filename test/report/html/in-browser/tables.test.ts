/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type BreakdownName, breakdownNames } from '../../../../src/evaluate/breakdowns/buckets.ts';
import { compare } from '../../../../src/evaluate/comparison/compare.ts';
import { evaluate } from '../../../../src/evaluate/evaluate.ts';
import { comparisonPage } from '../../../../src/report/html/comparison-page.ts';
import { needsChromium } from '../../../support/chromium.ts';
import { comparisonInBrowser } from '../../../support/comparison-in-browser.ts';
import { pageGold, pageOutputs, pageParsers } from '../../../support/page-fixture.ts';
import { Sandbox } from '../../../support/sandbox.ts';
import { sentence, treebank } from '../../../support/sentences.ts';

const sandbox = new Sandbox('page');

needsChromium.describe('the comparison page in a browser', () => {
  const open = comparisonInBrowser(sandbox);

  /** The rows of all tables: the caption, the first cell, and the texts of the other visible cells. */
  const allRows = (page: Page) =>
    page.locator('table').evaluateAll((tables) =>
      (tables as HTMLTableElement[]).flatMap(({ caption, tBodies }) =>
        [...tBodies[0]!.rows].map((row) => ({
          caption: caption?.textContent ?? '',
          first: row.querySelector('th')?.textContent,
          cells: [...row.querySelectorAll('td')]
            .filter((cell) => cell.getClientRects().length > 0)
            .map((cell) => cell.innerText),
        })),
      ),
    );
  type Rows = Awaited<ReturnType<typeof allRows>>;
  const cellsOf = (rows: Rows, caption: string, first: string) =>
    rows.filter((row) => row.caption.includes(caption) && row.first === first).flatMap(({ cells }) => cells);

  /** The name and the text of the file that a button saves. */
  async function saved(page: Page, button: string): Promise<{ name: string; text: string }> {
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    const download = await waiting;
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
  }

  test('sorts a table by a column: descending, ascending, then in its original order', async () => {
    const page = await open();
    const table = page.locator('#differing table');
    const numbers = () => table.locator('tbody th').allTextContents();
    const before = await numbers();
    const button = table.getByRole('button', { name: 'Words scored' });
    await button.click();
    expect(await numbers()).toEqual(['1', '2', '3', '4'].filter((number) => before.includes(number)));
    expect(await button.locator('..').getAttribute('aria-sort')).toBe('descending');
    await button.click();
    expect(await numbers()).toEqual(['4', '3', '2', '1'].filter((number) => before.includes(number)));
    await button.click();
    expect(await numbers()).toEqual(before);
  });

  test('saves a table as it is shown, as CSV and as LaTeX', async () => {
    const page = await open();
    const csv = await saved(page, 'CSV: Attachment scores, percent');
    expect(csv.name).toBe('attachment-scores-percent.csv');
    const [head, first] = csv.text.split('\r\n');
    expect(head).toMatch(/^Parser,UAS,95% interval,LAS,95% interval,LAA,Root,Complete,/);
    expect(first).toMatch(/^first & <i>best<\/i>,86\.67,/);
    const latex = await saved(page, 'LaTeX: Attachment scores, percent');
    expect(latex.name).toBe('attachment-scores-percent.tex');
    expect(latex.text).toMatch(/\\caption\{Attachment scores, percent: .+\}\n\\label\{/);
    expect(latex.text).toContain('\nfirst \\& \\textless{}i\\textgreater{}best');
    await page.locator('summary', { hasText: 'By tag of the dependent' }).click();
    const { text } = await saved(page, 'CSV: By tag of the dependent');
    expect(text.split('\r\n')[1]).toMatch(/^\w+,\d+,[\d.]+,[\d.]+$/);
  });

  test('saves words that look like numbers or like empty cells unchanged', async () => {
    const gold = treebank('numbers', sentence('1,000 – +5 dogs', '4 1 2 0'));
    const { comparison, sentences } = await compare(gold, [gold, gold], { rounds: 2 });
    const file = pathToFileURL(
      sandbox.save('numbers.html', await comparisonPage(comparison, sentences)),
    ).href;
    const page = await open('', {}, file);
    await page.locator('#table-details summary').click();
    const { text } = await saved(page, 'CSV: Head and label of each word');
    const words = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => /^\d+,("[^"]*"|[^,]*)/.exec(line)![1]);
    expect(words).toEqual(['"1,000"', '–', '+5', 'dogs']);
  });

  test('saves the trees as a self-contained SVG file', async () => {
    const page = await open();
    const trees = await saved(page, 'SVG: the trees of the sentence');
    expect(trees.name).toBe('sentence-1-6-words.svg');
    expect(trees.text).toMatch(/^<svg [\s\S]*<style>[\s\S]*>bird<[\s\S]*<\/svg>\n$/);
    expect(trees.text.match(/>bird</g)).toHaveLength(3);
    expect(trees.text).toMatch(/>[^<]+ \d of 6 wrong</);
    const parsed = await page.evaluate(
      (text) =>
        new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror')?.textContent,
      trees.text,
    );
    expect(parsed).toBeUndefined();
  });

  test('shows only the selected lines of a plot', async () => {
    const words = 'word '.repeat(30).trimEnd();
    const heads = Array.from({ length: 30 }, (_, d) => d).join(' ');
    const chain = treebank('chain', sentence(words, heads));
    const { comparison, sentences } = await compare(chain, [chain, chain], { by: ['distance'], rounds: 2 });
    const file = pathToFileURL(sandbox.save('plot.html', await comparisonPage(comparison, sentences))).href;
    const page = await open('', {}, file);
    const line = page.locator('.plots [data-series="1"] .marker').first();
    expect(await line.isVisible()).toBe(true);
    await page.locator('.lines input').nth(1).uncheck();
    expect(await line.isVisible()).toBe(false);
    expect(await page.locator('.plots [data-series="0"] .marker').first().isVisible()).toBe(true);
    const { name, text } = await saved(page, 'SVG: UAS F1 by distance');
    expect([name, text]).toEqual([
      'uas-f1-by-distance-between-head-and-dependent.svg',
      expect.stringMatching(/^<svg [\s\S]*<\/svg>$/),
    ]);
  });

  test('shows the same scores and breakdowns as evaluate', async () => {
    const page = await open();
    const rows = await allRows(page);
    for (const [i, output] of pageOutputs.entries()) {
      const report = await evaluate(pageGold, output, { by: breakdownNames });
      const { uas, las, laa, rootAccuracy, completeRate, labelledCompleteRate } = report;
      const cells = cellsOf(rows, 'Attachment scores', pageParsers[i]);
      const wanted = [uas, las, laa, rootAccuracy, completeRate, labelledCompleteRate].map((f) =>
        f.toFixed(2),
      );
      expect([0, 2, 5, 6, 7, 8].map((at) => cells[at])).toEqual(wanted);
    }
    await page.locator('#breakdowns summary').evaluateAll((all) => {
      for (const summary of all) (summary as HTMLElement).click();
    });
    const captions: Record<BreakdownName, string> = {
      label: 'By label',
      tag: 'By tag of the dependent',
      'head-tag': 'By tag of the head',
      children: 'By number of dependents of the word',
      distance: 'By distance between head and dependent',
      length: 'By sentence length',
      depth: 'By distance to the root',
      projective: 'By projective or not',
    };
    const reports = await Promise.all(
      pageOutputs.map((output) => evaluate(pageGold, output, { by: breakdownNames })),
    );
    for (const kind of ['labelled', 'unlabelled'] as const) {
      for (const measure of ['f1', 'precision', 'recall'] as const) {
        await page.locator(`#show-${kind}-${measure}`).check();
        const rows = await allRows(page);
        for (const name of breakdownNames) {
          for (const { bucket, gold } of reports[0].breakdowns[name]!) {
            const scores = reports.map(({ breakdowns }) =>
              breakdowns[name]!.find((each) => each.bucket === bucket),
            );
            const shown = scores.map((score) => score?.[kind][measure] ?? Number.NaN);
            const texts = shown.map((value) => (Number.isNaN(value) ? '–' : value.toFixed(2)));
            expect(cellsOf(rows, captions[name], bucket)).toEqual([String(gold), ...texts]);
          }
        }
      }
    }
  });
});
