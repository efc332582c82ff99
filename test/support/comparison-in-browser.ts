import { pathToFileURL } from 'node:url';
import { beforeAll } from 'vitest';
import { comparisonPage } from '../../src/report/html/comparison-page.ts';
import { pageComparison } from './page-fixture.ts';
import { browserPages, isFileOrData, type PageOptions } from './pages.ts';
import type { Sandbox } from './sandbox.ts';

/** Opens the page of `pageComparison`, or a page at another address, in a browser. */
export function comparisonInBrowser(sandbox: Sandbox) {
  const openPage = browserPages({ isOwn: (url) => isFileOrData(url) || url.startsWith('blob:') });
  let address: string;

  beforeAll(async () => {
    const { comparison, sentences } = await pageComparison();
    address = pathToFileURL(sandbox.save('page.html', await comparisonPage(comparison, sentences))).href;
  });

  return (hash = '', options: PageOptions = {}, page = address) => openPage(page + hash, options);
}
