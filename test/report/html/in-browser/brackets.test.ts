/// <reference lib="dom" />
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { compare } from '../../../../src/evaluate/comparison/compare.ts';
import { comparePhrases } from '../../../../src/evaluate/comparison/phrases/compare-phrases.ts';
import { comparisonPage } from '../../../../src/report/html/comparison-page.ts';
import { openTreebank } from '../../../../src/treebank/reading/treebank-file.ts';
import { launchChromium, needsChromium } from '../../../support/chromium.ts';
import { axeViolations } from '../../../support/pages.ts';
import { Sandbox } from '../../../support/sandbox.ts';

const sandbox = new Sandbox('page');

needsChromium.test(
  'bracketed trees are shown as phrases, gold beside predicted, what is wrong marked',
  async () => {
    const gold = '(S (NP (DT The) (NN cat)) (VP (VBD sat)))\n';
    const wrong = '(S (NP (DT The)) (VP (NN cat) (VBD sat)))\n';
    const open = async (name: string, text: string) =>
      openTreebank(sandbox.save(name, text), { expect: 'trees' });
    const goldFile = await open('gold.mrg', gold);
    const outputs = [await open('wrong.mrg', wrong), await open('right.mrg', gold)];
    const { comparison, sentences } = await compare(goldFile, outputs, { rounds: 9 });
    const files = ['wrong', 'right'].map((name) => ({ name, file: `${name}.mrg` }));
    const phrases = await comparePhrases(sentences, files, { rounds: 9 });
    const text = await comparisonPage(comparison, sentences, { phrases });
    expect(text).toContain('<caption>Brackets in error by label</caption>');
    const browser = await launchChromium();
    try {
      const page = await browser.newPage({ viewport: { width: 375, height: 700 } });
      await page.goto(pathToFileURL(sandbox.save('phrases.html', text)).href);
      const labels = (parser: number, tree: number) =>
        page
          .locator('#phrases .pair')
          .nth(parser)
          .locator('svg')
          .nth(tree)
          .locator('.label')
          .allTextContents();
      expect(await labels(0, 0)).toEqual(['S', '✗ NP', 'DT', 'NN', '✗ VP', 'VBD']);
      expect(await labels(0, 1)).toEqual(['S', '✗ NP', 'DT', '✗ VP', 'NN', 'VBD']);
      expect(await labels(1, 1)).toEqual(['S', 'NP', 'DT', 'NN', 'VP', 'VBD']);
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    } finally {
      await browser.close();
    }
  },
);
