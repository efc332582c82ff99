/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { trainParser } from '../../combine/train-parser.ts';
import { writeParser } from '../../parsers/registry.ts';
import { ModelWriter, modelBytes } from '../../src/model/model-writer.ts';
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
  let isNewer = false;
  const openPage = browserPages({
    isOwn: (url) => url.startsWith(address) || url.startsWith('blob:'),
    keepsData: true,
  });

  beforeAll(async () => {
    execFileSync('node', ['build/playground.mjs'], { cwd: packageFolder });
    server = createServer(({ url }, response) => {
      const { pathname } = new URL(url!, address);
      const file = join(folder, pathname.replace(/^\/playground/, '').replace(/\/$/, '/index.html'));
      if (!existsSync(file)) return response.writeHead(404).end();
      const type = types[extname(file)] ?? 'application/octet-stream';
      const content = readFileSync(file);
      const newer = () => content.toString().replace(/[0-9a-f]{16}/, '0'.repeat(16));
      const isChanged = isNewer && file.endsWith('service-worker.js');
      response.writeHead(200, { 'Content-Type': type }).end(isChanged ? newer() : content);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/playground/`;
  });
  afterAll(() => server.close());

  const tree = (page: Page, name: string) =>
    page.locator('#trees figure', { has: page.locator('figcaption', { hasText: name }) }).locator('svg');
  const choose = async (page: Page, ...models: string[]) => {
    for (const box of await page.locator('#models input').all())
      await box.setChecked(models.includes(await box.inputValue()));
  };
  /** The address of a page without a pipeline, which would take longest to open. */
  const quickAddress = () =>
    `${address}#${new URLSearchParams({ words: `1\tDogs${'\t_'.repeat(8)}\n`, model: 'bigram' })}`;
  /** A model trained in Node with the settings of the page's form. */
  async function trainedHere(page: Page): Promise<Buffer> {
    const [epochs, bits] = await Promise.all(
      ['epochs', 'bits'].map(async (name) => Number(await page.locator(`#option-${name}`).inputValue())),
    );
    const [train, dev] = ['train', 'dev'].map((part) => join(folder, `${part}.conllu`));
    const options = { epochs: epochs!, bits: bits! };
    const { parser, about } = await trainParser('graph', train!, { dev: dev!, options });
    const writer = new ModelWriter();
    writeParser(writer, parser, about);
    return Buffer.from(modelBytes(writer));
  }
  const parse = (page: Page) => page.getByRole('button', { name: 'Parse', exact: true }).click();

  test('can parse, vote, explain, train and compare, and a link restores all of it', async () => {
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
    await page.locator('#start-training:enabled').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('mine');
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('epochs', { exact: true }).fill('2');
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await page.getByText(/^mine is trained: LAS \d\d\.\d\d on dev.conllu/).waitFor();
    expect(await page.locator('#curve img').getAttribute('alt')).toMatch(/LAS \d\d\.\d\d after epoch 2$/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download mine' }).click(),
    ]);
    const trained = readFileSync(await download.path());
    expect(trained).toEqual(await trainedHere(page));
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.locator('#scores .answer').waitFor();
    const ranked = await page.locator('#scores table').first().locator('tbody th').allTextContents();
    expect(ranked.sort()).toEqual(['bigram', 'graph', 'mine', 'transition', 'vote']);
    expect(await page.locator('#scores a').count()).toBe(0);
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
    expect(await excessWidth(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);

    // These words are split already, so that the page of the link loads no pipeline.
    await page
      .locator('#words')
      .fill(`${readFileSync(join(folder, 'dev.conllu'), 'utf8').split('\n\n')[0]}\n`);
    await choose(page, 'mine');
    await parse(page);
    await tree(page, 'mine').waitFor();
    const arcs = await tree(page, 'mine').innerHTML();
    await page.waitForFunction(() => location.hash.includes('model=mine'));
    const again = await openPage(page.url());
    await tree(again, 'mine').waitFor();
    expect(await tree(again, 'mine').innerHTML()).toBe(arcs);
    await again.locator('#scores .answer').waitFor();
    expect(await again.locator('#scores .answer').textContent()).toBe(
      await page.locator('#scores .answer').textContent(),
    );
  });

  test('can be used by keyboard alone: the focus moves to the trees, a wrong option and nearby buttons', async () => {
    const page = await openPage(quickAddress());
    await tree(page, 'bigram').waitFor();
    await page.getByRole('link', { name: 'To the trees' }).press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.locator('#results :focus').count()).toBe(1);
    const train = page.locator('#start-training:enabled');
    await train.waitFor();
    const epochs = page.locator('#option-epochs');
    await page.getByText('Options', { exact: true }).click();
    await epochs.fill('0');
    await page.getByText('Options', { exact: true }).click();
    await train.press('Enter');
    await page.locator('#option-epochs:focus').waitFor();
    await epochs.fill('1');
    await train.press('Enter');
    await page.getByRole('button', { name: 'Keep my-graph' }).press('Enter');
    await page.getByText('Kept', { exact: true }).waitFor();
    await page.locator('#own-models :focus').waitFor();
    await page.getByRole('button', { name: 'Remove my-graph' }).press('Enter');
    await page.locator('#start-training:focus').waitFor();
  });

  test('warns of tags that sentences lack', async () => {
    const page = await openPage(quickAddress());
    await tree(page, 'bigram').waitFor();
    await choose(page, 'graph', 'bigram');
    await page.locator('#words').fill(`1\tDogs${'\t_'.repeat(8)}\n2\tbark${'\t_'.repeat(8)}\n`);
    await parse(page);
    await tree(page, 'graph').waitFor();
    const missing = 'no UPOS and XPOS, which the model was trained to read: expect worse trees';
    expect(await page.locator('#notices p').allTextContents()).toEqual([`graph, bigram: ${missing}`]);
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

  test('keeps the files of an old version until no page of that version is open', async () => {
    const page = await openPage(quickAddress());
    await tree(page, 'bigram').waitFor();
    const versions = () =>
      page.evaluate(async () => (await caches.keys()).filter((name) => /-playground/.test(name)).length);
    const isWaiting = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        await registration.update();
        return registration.waiting !== null;
      });
    await page.evaluate(() => navigator.serviceWorker.ready);
    isNewer = true;
    await expect.poll(isWaiting).toBe(true);
    expect(await versions()).toBe(2);
    await page.goto('about:blank');
    await page.goto(quickAddress());
    await expect.poll(versions).toBe(1);
    isNewer = false;
  });

  test('also restores the comparison of a link that is opened in the same page', async () => {
    const page = await openPage(quickAddress());
    await tree(page, 'bigram').waitFor();
    await page.goto(`${quickAddress()}&compared=graph&compared=bigram`);
    await page.locator('#scores .answer').waitFor();
  });

  test('reports a link that is damaged, or that names a model which does not exist', async () => {
    const page = await openPage('about:blank');
    const alert = async (fields: Record<string, string>) => {
      await page.goto('about:blank');
      await page.goto(
        `${address}#${new URLSearchParams({ words: 'Dogs bark.', model: 'bigram', ...fields })}`,
      );
      await page.locator('#problem:not(:empty)').waitFor();
      return page.locator('#problem').textContent();
    };
    expect(await alert({ trained: '[' })).toMatch(/^The link is damaged/);
    expect(await alert({ trained: '["a","graph",{"epochs":0}]' })).toMatch(/epochs/);
    expect(await alert({ trained: '["graph","bigram",{}]' })).toBe(
      'The link trains a model graph, but here another one has that name.',
    );
    expect(await alert({ model: 'nobody' })).toBe('There is no model nobody here.');
  });

  test('fits the width of a phone and is accessible, in light and in dark mode', async () => {
    const page = await openPage(quickAddress(), { viewport: { width: 390, height: 844 } });
    await page.locator('#start-training:enabled').waitFor();
    await page.getByText('Options', { exact: true }).click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await excessWidth(page)).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
    }
  });

  test('holds out a tenth of a user’s treebank, and reports mistakes in it', async () => {
    const page = await openPage(quickAddress());
    await page.locator('#start-training:enabled').waitFor();
    const train = async (text: string) => {
      await page.getByLabel('Training treebank').setInputFiles({
        name: 'own.conllu',
        mimeType: 'text/plain',
        buffer: Buffer.from(text),
      });
      await page.getByRole('button', { name: 'Train', exact: true }).click();
    };
    await train('1\tThe\n');
    await page.getByText(/^own.conllu/).waitFor();
    await page.getByLabel('Paradigm').selectOption('transition');
    await train(readFileSync(join(folder, 'dev.conllu'), 'utf8'));
    await page.getByText(/^my-transition is trained: LAS .* on every tenth sentence of own.conllu/).waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText(/^on every tenth sentence of own.conllu/).waitFor();
    expect(page.url()).toContain('model=');
    expect(page.url()).not.toContain('compared=');
    await page.getByRole('button', { name: 'Keep my-transition' }).click();
    await page.getByText('Kept').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Remove my-transition' }).click();
    expect(await page.locator('#models input[value=my-transition]').count()).toBe(0);
  });

  test('adds a number to a model named like a ready one, also if it was kept under that name', async () => {
    const page = await openPage(quickAddress());
    await page.locator('#start-training:enabled').waitFor();
    await page.getByLabel('Paradigm').selectOption('bigram');
    await page.getByLabel('Name', { exact: true }).fill('english');
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await page.getByText(/^english-2 is trained/).waitFor();
    await page.getByRole('button', { name: 'Keep english-2' }).click();
    await page.getByText('Kept').waitFor();
    await page.evaluate(async () => {
      const store = await caches.open('parliament-own-models /playground/');
      const kept = (await store.match((await store.keys())[0]!))!;
      const about = kept.headers.get('x-about')!.replace('english-2', 'graph');
      await store.put('own-models/graph', new Response(kept.body, { headers: { 'x-about': about } }));
    });
    const own = async () => {
      await page.reload();
      await page.locator('#start-training:enabled').waitFor();
      return page.locator('#own-models b').allTextContents();
    };
    expect(await own()).toEqual(['english-2', 'graph-2']);
    await page.getByRole('button', { name: 'Remove graph-2' }).click();
    expect(await own()).toEqual(['english-2']);
    await page.goto(`${quickAddress()}&${new URLSearchParams({ trained: '["english-2","graph",{}]' })}`);
    await page.getByText('The link trains a model english-2, but here another one has that name.').waitFor();
  });
});
