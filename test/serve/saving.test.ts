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

needsChromium.describe('saving corrections in a browser', () => {
  const openPage = browserPages({
    isOwn: (url) => /^(blob:)?http:\/\/127\.0\.0\.1:/.test(url),
    isExpected: (said) => /status of (400|409)|ERR_FAILED/.test(said),
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

  test('under another name makes a new file, which is then open, and never replaces a file', async () => {
    const page = await open();
    await saveAs(page, 'cats.conllu');
    await said(page, 'there is a file cats.conllu already: nothing is saved.');
    expect(onDisk('cats.conllu')).toBe(cats);
    await saveAs(page, 'first.conllu');
    await said(page, 'first.conllu is saved');
    expect(await page.locator('#files').inputValue()).toBe('dogs.conllu');
    await press(page, 'Make it the root');
    await press(page, 'Save');
    await expect.poll(() => onDisk('first.conllu')).toContain('Dogs\t_\tNOUN\t_\t_\t0\troot');
    expect(onDisk('dogs.conllu')).toBe(dogs);
  });

  test('requires another name if somebody else has changed the file', async () => {
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

  test('a model is trained on the saved file, even if another name has been typed since', async () => {
    const page = await open();
    await page.locator('#file-name').fill('other.conllu');
    const asked = page.waitForRequest(/v1\/learn/);
    await page.route('**/v1/learn', (route) => route.fulfill({ json: { state: 'done' } }));
    await press(page, 'Learn from the file');
    expect((await asked).postDataJSON()).toMatchObject({ file: 'dogs.conllu' });
  });

  test('training is followed to its end, even if the service fails to answer once', async () => {
    const page = await open();
    const answers = [
      { state: 'running' },
      undefined,
      { state: 'running', share: 0.5 },
      { state: 'failed', problem: 'nothing has been learnt' },
    ];
    await page.route('**/v1/learn', (route) => {
      const json = answers.shift();
      return json === undefined ? route.abort() : route.fulfill({ json });
    });
    await press(page, 'Learn from the file');
    await said(page, 'nothing has been learnt');
    answers.push({ state: 'running' }, { state: 'none' });
    await press(page, 'Learn from the file');
    await said(page, 'The training is lost: the service was restarted.');
    expect(await page.locator('#correction-status').textContent()).toBe('');
  });

  const title = (page: Page) => page.locator('#correction-title').textContent();
  const lemma = (page: Page) => page.getByLabel('Lemma');

  test('text typed in a field is saved if it is valid, and the user is warned before leaving the page', async () => {
    const page = await open();
    await lemma(page).fill('dog');
    const isLeft = () => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })));
    expect(await isLeft()).toBe(false);
    await page.keyboard.press('Control+s');
    await said(page, 'dogs.conllu is saved');
    expect(await isLeft()).toBe(true);
    expect(onDisk('dogs.conllu')).toBe(dogs.replace('Dogs\t_', 'Dogs\tdog'));
    expect(await title(page)).toBe('Correct trees');
    await page.getByLabel('Head').fill('7');
    await page.keyboard.press('Control+s');
    await said(page, 'there is no token 7');
    expect(await page.locator('#correction-status').textContent()).toBe('');
    await press(page, 'Save');
    await press(page, 'Next unsure word');
    await said(page, 'there is no token 7');
    const words = page.locator('.edit-tree .word');
    await words.nth(1).dragTo(words.first());
    await page.getByLabel('Form').press('Control+Enter');
    expect(await page.getByLabel('Head').inputValue()).toBe('7');
    await page.locator('.edit-tree').press('u');
    expect(await page.getByLabel('Head').inputValue()).not.toBe('7');
    expect(await lemma(page).inputValue()).toBe('dog');
    expect(await page.locator('#correction-problem').textContent()).toBe('');
    await page.locator('.edit-tree').press('y');
    await said(page, 'nothing to redo');
    await page.locator('.edit-tree').press('ArrowRight');
    expect(await page.locator('#correction-problem').textContent()).toBe('');
    await page.route('**/v1/file?*', (route) => route.abort());
    await press(page, 'Save');
    await said(page, 'the service does not answer: the changes may not be saved');
  });

  test('a download without a folder contains the typed text, and counts as saved', async () => {
    const plain = await serveHere([]);
    const page = await openPage(plain.address, { acceptDownloads: true });
    await page.locator('#words').fill(dogs);
    await press(page, 'Correct without parsing');
    await lemma(page).fill('dog');
    const download = page.waitForEvent('download');
    await page.keyboard.press('Control+s');
    expect(readFileSync(await (await download).path(), 'utf8')).toContain('Dogs\tdog');
    expect(await title(page)).toBe('Correct trees');
    await plain.app.close();
  });

  test('unsaved changes cause a warning before anything else opens, and again after another message', async () => {
    const page = await open();
    const word = page.locator('.edit-tree .word').first();
    await press(page, 'Make it the root');
    await openFile(page, 'cats.conllu');
    await said(page, 'The changes are not saved. Open again to discard them.');
    expect([await word.textContent(), await title(page)]).toEqual(['Dogs', 'Correct trees (changed)']);
    await page.locator('#words').fill(dogs.replace('Dogs', 'Owls'));
    await press(page, 'Correct without parsing');
    expect([await word.textContent(), await title(page)]).toEqual(['Owls', 'Correct trees']);
    await press(page, 'Make it the root');
    await press(page, 'Correct without parsing');
    await said(page, 'The changes are not saved. Open again to discard them.');
    await page.locator('.edit-query').fill('X [upos=NONE]');
    await press(page, 'Next match');
    await said(page, 'no sentence matches');
    await press(page, 'Close');
    await said(page, 'The changes are not saved. Close again to discard them.');
    await press(page, 'Close');
    expect(await page.locator('#correction').isVisible()).toBe(false);
  });

  test('a file that cannot be opened leaves the open file, or the closed editor, as it is', async () => {
    writeFileSync(join(folder, 'latin.conllu'), dogs.replace('Dogs', 'Chiens dévoués'), 'latin1');
    const page = await open();
    await openFile(page, 'latin.conllu');
    await page.locator('#problem').getByText('latin.conllu').waitFor();
    await lemma(page).fill('dog');
    await page.keyboard.press('Control+s');
    await said(page, 'dogs.conllu is saved');
    await press(page, 'Close');
    await openFile(page, 'latin.conllu');
    await page.locator('#problem').getByText('latin.conllu').waitFor();
    expect(await page.locator('#correction').isVisible()).toBe(false);
  });

  test('the file requested last opens; until then, editing is disabled and the focus is not moved', async () => {
    const page = await open();
    const waiting: (() => void)[] = [];
    await page.route('**/v1/file?name=dogs.conllu', async (route) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      // The page has cancelled the requests that it has given up.
      await route.continue().catch(() => undefined);
    });
    await openFile(page, 'dogs.conllu');
    await page.locator('#status').getByText('opening dogs.conllu …').waitFor();
    expect(await page.locator('#correction').evaluate((section) => (section as HTMLElement).inert)).toBe(
      true,
    );
    await openFile(page, 'cats.conllu');
    await page.getByText('Cats (1)').waitFor();
    await openFile(page, 'dogs.conllu');
    await expect.poll(() => waiting.length).toBe(2);
    await page.locator('#words').focus();
    for (const answer of waiting) answer();
    await page.getByText('Dogs (1)').waitFor();
    await page.keyboard.type('r');
    expect([await page.locator('#words').inputValue(), await title(page)]).toEqual(['r', 'Correct trees']);
    expect(await page.locator('#file-name').inputValue()).toBe('dogs.conllu');
  });

  test('while a file is being saved, it can be edited and saved again, and another file can be opened', async () => {
    const page = await open();
    const waiting: (() => void)[] = [];
    await page.route('**/v1/file?name=dogs.conllu', async (route) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      await route.continue();
    });
    const answer = async () => {
      await expect.poll(() => waiting.length).toBe(1);
      waiting.pop()!();
    };
    await lemma(page).fill('dog');
    await page.keyboard.press('Control+s');
    await lemma(page).fill('hound');
    await page.keyboard.press('Enter');
    await answer();
    await said(page, 'dogs.conllu is saved');
    expect(await title(page)).toBe('Correct trees (changed)');
    expect(onDisk('dogs.conllu')).toContain('Dogs\tdog');
    await press(page, 'Save');
    await press(page, 'Save');
    for (let i = 0; i < 2; i++) await answer();
    await expect.poll(() => title(page)).toBe('Correct trees');
    expect(onDisk('dogs.conllu')).toContain('Dogs\thound');

    await lemma(page).fill('dog');
    await page.keyboard.press('Control+s');
    for (let i = 0; i < 2; i++) await openFile(page, 'cats.conllu');
    await page.getByText('Cats (1)').waitFor();
    await answer();
    await said(page, 'dogs.conllu is saved');
    await lemma(page).fill('cat');
    await page.keyboard.press('Control+s');
    await said(page, 'cats.conllu is saved');
    expect(onDisk('cats.conllu')).toContain('Cats\tcat');
    expect(onDisk('dogs.conllu')).toContain('Dogs\tdog');
  });
});
