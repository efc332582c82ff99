/// <reference lib="dom" />
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { compare } from '../../../../src/evaluate/comparison/compare.ts';
import { comparisonPage } from '../../../../src/report/html/comparison-page.ts';
import { openTreebank } from '../../../../src/treebank/reading/treebank-file.ts';
import { launchChromium, needsChromium, newContext } from '../../../support/chromium.ts';
import { Sandbox } from '../../../support/sandbox.ts';
import { needsShared, sharedPath } from '../../../support/shared.ts';

const sandbox = new Sandbox('page');

const goldFile = sharedPath('treebanks/ud-english-ewt/en_ewt-ud-dev.conllu');
const parsers = ['malt-arc-eager', 'malt-stacklazy', 'mst-first-order', 'udpipe1', 'yara-beam64'];

/** Milliseconds: one second on an idle machine, more on a busy one. */
const slowMachine = 3000;

needsShared.describe('the comparison page of English EWT', () => {
  test('takes less than 3 MB for 2,001 sentences of five parsers', async () => {
    const files = parsers.map((name) => sharedPath(`oracles/dependencies/en_ewt-dev.${name}.conllu`));
    const [gold, ...outputs] = await Promise.all(
      [goldFile, ...files].map((file) => openTreebank(file, { expect: 'trees' })),
    );
    const { comparison, sentences } = await compare(gold, outputs, { rounds: 10 });
    const page = await comparisonPage(comparison, sentences);
    sandbox.save('ewt.html', page);
    expect(page).toContain('2,001 sentences, 25,147 tokens.');
    expect(page).not.toContain('id="selection"');
    expect(Buffer.byteLength(page)).toBeLessThan(3e6);
  });

  needsChromium.test('shows the first sentence soon: within a second on an idle machine', async () => {
    const browser = await launchChromium();
    try {
      const page = await (await newContext(browser)).newPage();
      await page.addInitScript(() => {
        new MutationObserver((_, observer) => {
          if (document.querySelector('#trees svg') === null) return;
          observer.disconnect();
          (globalThis as { drawnAt?: number }).drawnAt = performance.now();
        }).observe(document, { subtree: true, childList: true });
      });
      await page.goto(pathToFileURL(sandbox.path('ewt.html')).href);
      const drawnAt = await page.evaluate(() => (globalThis as { drawnAt?: number }).drawnAt);
      expect(drawnAt).toBeLessThan(slowMachine);
    } finally {
      await browser.close();
    }
  });
});
