/// <reference lib="dom" />
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { compare } from '../../../../src/evaluate/comparison/compare.ts';
import { comparisonPage } from '../../../../src/report/html/comparison-page.ts';
import { openTreebank } from '../../../../src/treebank/reading/treebank-file.ts';
import { needsChromium } from '../../../support/chromium.ts';
import { browserPages, isFileOrData } from '../../../support/pages.ts';
import { Sandbox } from '../../../support/sandbox.ts';

const sandbox = new Sandbox('page');

needsChromium.describe('long sentences on the comparison page in a browser', () => {
  const openPage = browserPages({ isOwn: isFileOrData });
  let address: string;

  beforeAll(async () => {
    const words = Array.from({ length: 80 }, (_, i) => `word${i + 1}`);
    const heads = words.map((_, i) => (i % 5 === 0 ? Math.max(0, i - 4) : i - (i % 5) + 1));
    const wrong = heads.map((head, i) => (i === 7 ? 9 : head));
    const line = (head: number, i: number) => `${i + 1}\t${words[i]}\t_\tX\t_\t_\t${head}\tdep\t_\t_\n`;
    const file = (all: readonly number[], name: string) =>
      openTreebank(sandbox.save(name, `# text = ${words.join('  ')}!\n${all.map(line).join('')}\n`), {});
    const gold = await file(heads, 'long.conllu');
    const outputs = [await file(wrong, 'a.conllu'), await file(heads, 'b.conllu')];
    const { comparison, sentences } = await compare(gold, outputs, { rounds: 10 });
    address = pathToFileURL(sandbox.save('long.html', await comparisonPage(comparison, sentences))).href;
  });

  test('are drawn with shared subtrees folded, above an open table of the wrong words', async () => {
    const page = await openPage(address);
    const firstTree = page.locator('#trees svg').first();
    expect(await firstTree.locator('.word').count()).toBeLessThan(30);
    expect(await page.locator('#folded').textContent()).toMatch(/^\d+ words are folded into \[…\]/);
    expect(await page.locator('#trees .count').first().textContent()).toBe('1 of 80 wrong');
    expect(await page.locator('#table-details').getAttribute('open')).not.toBeNull();
    expect(await page.locator('#tree-table tbody tr').count()).toBe(1);
    await page.getByLabel(/fold what all trees share/).uncheck();
    expect(await firstTree.locator('.word').count()).toBe(80);
    expect(await page.locator('#tree-table tbody tr').count()).toBe(80);
    expect(await page.locator('#folded').isVisible()).toBe(false);
  });

  test('keep the gold tree in view while the other trees are scrolled', async () => {
    const page = await openPage(`${address}#sentence=1`, { viewport: { width: 900, height: 900 } });
    await page.locator('#trees').evaluate((box) => {
      box.style.maxHeight = '300px';
      box.scrollTop = box.scrollHeight;
    });
    const [box, gold] = [page.locator('#trees'), page.locator('#trees .tree').first()];
    const [top, goldTop] = [(await box.boundingBox())!.y, (await gold.boundingBox())!.y];
    expect(Math.abs(goldTop - top)).toBeLessThan(5);
  });

  test('are shown and searched in their original text', async () => {
    const page = await openPage(address);
    expect(await page.locator('#sentence-text').textContent()).toMatch(/word79 {2}word80!$/);
    await page.getByLabel('It contains').fill('word80!');
    expect(await page.locator('#count').textContent()).toBe('1 sentence');
  });
});
