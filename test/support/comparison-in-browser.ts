import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll } from 'vitest';
import { comparisonPage } from '../../src/report/html/comparison-page.ts';
import { pageComparison } from './page-fixture.ts';
import { browserPages, isFileOrData } from './pages.ts';
import type { Sandbox } from './sandbox.ts';

/** Opens the page of `pageComparison`, or the one at another address, in a browser, each time in a context of its own. */
export function comparisonInBrowser(sandbox: Sandbox) {
  const openPage = browserPages({ isOwn: (url) => isFileOrData(url) || url.startsWith('blob:') });
  let address: string;

  beforeAll(async () => {
    const { comparison, sentences } = await pageComparison();
    address = pathToFileURL(sandbox.save('page.html', await comparisonPage(comparison, sentences))).href;
  });

  return (hash = '', options: BrowserContextOptions = {}, page = address) => openPage(page + hash, options);
}
