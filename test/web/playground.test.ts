/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { needsChromium } from '../support/chromium.ts';
import { axeViolations, browserPages, excessWidth } from '../support/pages.ts';

const types: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
};
const folder = join(packageFolder, 'dist', 'playground');

needsChromium.describe('the playground', () => {
  let server: Server;
  let address: string;
  const openPage = browserPages({ isOwn: (url) => url.startsWith(address) || url.startsWith('blob:') });

  beforeAll(async () => {
    execFileSync('node', ['build/playground.mjs'], { cwd: packageFolder });
    server = createServer(({ url }, response) => {
      const { pathname } = new URL(url!, address);
      const file = join(folder, pathname.replace(/^\/playground/, '').replace(/\/$/, '/index.html'));
      if (!existsSync(file)) return response.writeHead(404).end();
      const type = types[extname(file)] ?? 'application/octet-stream';
      response.writeHead(200, { 'Content-Type': type }).end(readFileSync(file));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/playground/`;
  }, 120_000);
  afterAll(() => server.close());

  const tree = (page: Page, name: string) =>
    page.locator('#trees figure', { has: page.locator('figcaption', { hasText: name }) }).locator('svg');
  const choose = async (page: Page, ...models: string[]) => {
    for (const box of await page.locator('#models input').all())
      await box.setChecked(models.includes(await box.inputValue()));
  };
  const parse = (page: Page) => page.getByRole('button', { name: 'Parse', exact: true }).click();

  test('parses, lets models vote, and explains', async () => {
    const page = await openPage(address);
    await tree(page, 'english').waitFor();
    expect(await tree(page, 'english').locator('.word').count()).toBe(12);
    await choose(page, 'graph', 'transition', 'bigram');
    await parse(page);
    await tree(page, 'Vote').waitFor();
    expect(await page.locator('#trees svg').count()).toBe(4);
    await page.getByRole('button', { name: 'Explain transition' }).click();
    await page.locator('#explanation-parts .frame').first().waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('#place').textContent()).toBe('2 of 25');
    expect(await excessWidth(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
  });

  test('works without a network after the first visit', async () => {
    const page = await openPage(address);
    await tree(page, 'english').waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.context().setOffline(true);
    await page.goto(
      `${address}#${new URLSearchParams({ words: 'The dogs sleep, and nobody knows why.', model: 'graph' })}`,
    );
    await page.reload();
    await tree(page, 'graph').waitFor();
    expect(await tree(page, 'graph').locator('.word').count()).toBe(9);
  });
});
