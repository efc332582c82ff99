/// <reference lib="dom" />
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { needsChromium } from '../support/chromium.ts';
import { browserPages } from '../support/pages.ts';
import { Sandbox } from '../support/sandbox.ts';
import { type ServiceHere, serveHere } from '../support/service.ts';

const sandbox = new Sandbox('saving');
const folder = sandbox.path('trees');
const dogs = '1\tDogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n';
const cats = dogs.replace('Dogs', 'Cats');

needsChromium.describe('saving what is corrected in a browser', () => {
  const openPage = browserPages({
    isOwn: (url) => /^(blob:)?http:\/\/127\.0\.0\.1:/.test(url),
    isExpected: (said) => /status of 409/.test(said),
  });
  let service: ServiceHere;

  beforeAll(async () => {
    mkdirSync(folder);
    service = await serveHere([], { edit: folder });
  });
  afterAll(() => service.app.close());
  beforeEach(() => {
    write('dogs.conllu', dogs);
    write('cats.conllu', cats);
  });

  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const onDisk = (name: string) => readFileSync(join(folder, name), 'utf8');
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const said = (page: Page, text: string) => page.locator('#correction').getByText(text).waitFor();

  async function openFile(page: Page, name: string): Promise<void> {
    await page.locator('#files').selectOption(name);
    await press(page, 'Correct it');
  }

  async function open(name = 'dogs.conllu'): Promise<Page> {
    const page = await openPage(service.address);
    await openFile(page, name);
    await page.locator('.edit-tree svg').waitFor();
    return page;
  }

  async function saveAs(page: Page, name: string): Promise<void> {
    await page.locator('#file-name').fill(name);
    await press(page, 'Save');
  }

  test('under another name it is a new file, which is then open, and replaces none', async () => {
    const page = await open();
    await saveAs(page, 'cats.conllu');
    await said(page, 'there is a file cats.conllu already: nothing is saved.');
    expect(onDisk('cats.conllu')).toBe(cats);
    await saveAs(page, 'first.conllu');
    await said(page, 'first.conllu is saved');
    await press(page, 'Make it the root');
    await press(page, 'Save');
    await expect.poll(() => onDisk('first.conllu')).toContain('Dogs\t_\tNOUN\t_\t_\t0\troot');
    expect(onDisk('dogs.conllu')).toBe(dogs);
  });

  test('what somebody else has changed is saved under another name', async () => {
    const page = await open();
    await press(page, 'Make it the root');
    write('dogs.conllu', cats);
    await press(page, 'Save');
    await said(page, 'dogs.conllu has been changed by somebody else since it was opened');
    await saveAs(page, 'mine.conllu');
    await said(page, 'mine.conllu is saved');
    expect(onDisk('dogs.conllu')).toBe(cats);
    expect(onDisk('mine.conllu')).toContain('Dogs');
  });

  test('a model learns from the saved file, whatever name has been typed since', async () => {
    const page = await open();
    await page.locator('#file-name').fill('other.conllu');
    const asked = page.waitForRequest(/v1\/learn/);
    await page.route('**/v1/learn', (route) => route.fulfill({ json: { state: 'done' } }));
    await press(page, 'Learn from the file');
    expect((await asked).postDataJSON()).toMatchObject({ file: 'dogs.conllu' });
  });
});
