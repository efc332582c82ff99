/// <reference lib="dom" />
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveParser } from '../../parsers/registry.ts';
import { readModels } from '../../serve/tasks/served-models.ts';
import type { ComparedSentence } from '../../src/report/workbench/backend.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { needsChromium } from '../support/chromium.ts';
import { axeViolations, browserPages, excessWidth } from '../support/pages.ts';
import { sampleText } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';
import { type ServiceHere, serveHere } from '../support/service.ts';
import { smallNetwork } from '../support/small-network.ts';

const sandbox = new Sandbox('correcting');
const folder = sandbox.path('trees');
const gold = readSentences(sampleText('dev')).slice(0, 20);
const goldText = gold.map(({ source }) => source!.text).join('');

/** Two words of a sentence whose heads are wrong in the file. */
const wrongWords = ({ length }: Sentence, i: number) => [1 + ((3 * i) % length), 1 + ((3 * i + 4) % length)];

function withErrors(sentence: Sentence, i: number): Sentence {
  const heads = sentence.heads.slice();
  for (const d of wrongWords(sentence, i)) {
    const others = [...heads.keys()].filter((h) => h > 0 && h !== d && h !== heads[d]);
    heads[d] = others[(5 * i) % others.length];
  }
  return { ...sentence, heads };
}

needsChromium.describe('correcting a treebank in a browser', () => {
  const openPage = browserPages({
    isOwn: (url) => /^(blob:)?http:\/\/127\.0\.0\.1:/.test(url),
    isExpected: (said) => /status of (400|409)/.test(said),
  });
  let service: ServiceHere;

  beforeAll(async () => {
    mkdirSync(folder);
    const { parser, about } = await smallNetwork(60, { epochs: 8, units: 48 });
    saveParser(sandbox.path('small.model'), parser, about);
    const models = await readModels([{ name: 'small', file: sandbox.path('small.model') }], []);
    service = await serveHere(models, { edit: folder });
  });
  afterAll(() => service.app.close());

  const write = () => {
    const text = gold.map((sentence, i) => formatSentence(withErrors(sentence, i), 'conllu')).join('');
    writeFileSync(join(folder, 'work.conllu'), text);
  };
  const onDisk = () => readFileSync(join(folder, 'work.conllu'), 'utf8');
  const tree = (page: Page) => page.locator('.edit-tree');
  const word = (page: Page, d: number) => tree(page).locator(`[data-token="${d}"] .word`);

  async function open(): Promise<Page> {
    const page = await openPage(service.address, { viewport: { width: 1400, height: 1200 } });
    await page.locator('#files').selectOption('work.conllu');
    await page.getByRole('button', { name: 'Correct it' }).click();
    await tree(page).locator('svg').waitFor();
    return page;
  }

  async function dragTo(page: Page, d: number, head: number): Promise<void> {
    await word(page, d).hover();
    await page.mouse.down();
    if (head > 0) await word(page, head).hover();
    else {
      const { x, y } = (await tree(page).locator('svg').boundingBox())!;
      await page.mouse.move(x + 40, y + 8, { steps: 2 });
    }
    await page.mouse.up();
  }

  async function attachByKeys(page: Page, d: number, from: number, to: number): Promise<void> {
    const press = async (key: string, times = 1) => {
      for (let i = 0; i < times; i++) await page.keyboard.press(key);
    };
    await press('Home');
    await press('ArrowRight', d - 1);
    if (to === 0) return press('r');
    await press('h');
    await press(to > from ? 'ArrowRight' : 'ArrowLeft', Math.abs(to - from));
    await press('Enter');
  }

  test('works by mouse and by keyboard, saves the gold file, retrains a model, and warns a second editor', async () => {
    write();
    const before = await compared('small');
    // The page opened last is in front: browsers draw others once a second, and the mouse waits for that.
    const [other, page] = [await open(), await open()];
    // A single model has nobody to vote with.
    expect(await page.getByLabel('their vote').isVisible()).toBe(false);
    for (const [i, sentence] of gold.entries()) {
      for (const d of new Set(wrongWords(sentence, i))) {
        const wrong = withErrors(sentence, i).heads[d];
        if (i < 10) await dragTo(page, d, sentence.heads[d]);
        else await attachByKeys(page, d, wrong, sentence.heads[d]);
      }
      if (i < 9) await page.getByRole('button', { name: 'Next' }).first().click();
      else if (i === 9) await tree(page).focus();
      if (i >= 9) await page.keyboard.press('PageDown');
    }
    await page.keyboard.press('Control+s');
    await page.getByText('work.conllu is saved').waitFor();
    expect(onDisk()).toBe(goldText);

    await other.bringToFront();
    await dragTo(other, 1, 3);
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText('work.conllu has been changed by somebody else since it was opened').waitFor();
    expect(onDisk()).toBe(goldText);

    await page.bringToFront();
    await page.getByRole('button', { name: 'Learn from the file' }).click();
    await page.getByText('small-2 is trained. On 4 held-out sentences:').waitFor();
    expect(await page.locator('#models input').count()).toBe(2);
    const after = await compared('small-2', page);
    expect(right(after)).toBeGreaterThan(right(before));
    expect(right(after)).toBeGreaterThan(0.9);
  });

  /** The trees of a model as the page gets them. */
  async function compared(model: string, page?: Page): Promise<readonly ComparedSentence[]> {
    if (page === undefined) {
      const body = JSON.stringify({ sentences: goldText, models: [model] });
      const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      return (
        (await (await fetch(`${service.address}/v1/compare`, asked)).json()) as {
          sentences: ComparedSentence[];
        }
      ).sentences;
    }
    await page.getByLabel('small', { exact: true }).uncheck();
    await page.locator('#words').fill(goldText);
    const answer = page.waitForResponse(/v1\/compare/);
    await page.getByRole('button', { name: 'Parse', exact: true }).click();
    return ((await (await answer).json()) as { sentences: ComparedSentence[] }).sentences;
  }

  /** Share of the corrected arcs that are right, in the sentences used for training. */
  function right(sentences: readonly ComparedSentence[]): number {
    const arcs = gold.flatMap((sentence, i) =>
      i % 5 === 4
        ? []
        : wrongWords(sentence, i).map((d) => sentences[i].trees[0].heads[d - 1] === sentence.heads[d]),
    );
    return arcs.filter((isRight) => isRight).length / arcs.length;
  }

  test('edits labels, tags and tokens by keyboard alone, shows problems at once, and undoes everything', async () => {
    write();
    const page = await open();
    const said = () => page.locator('.edit-word').textContent();
    const before = await said();
    // Words may be in a script of another direction than the text around them.
    expect(await page.locator('.edit-word bdi').first().textContent()).toBe('I');
    await page.keyboard.press('l');
    await page.keyboard.type('vocative');
    await page.keyboard.press('Enter');
    expect(await said()).toContain(': vocative of');
    await page.keyboard.press('t');
    await page.keyboard.type('INTJ');
    await page.keyboard.press('Enter');
    expect(await said()).toContain('I (1), INTJ');
    for (const key of ['i', ...'Confidence=0.3', 'Enter', 'End', 'n']) await page.keyboard.press(key);
    expect(await said()).toMatch(/^I \(1\), INTJ: vocative of .*, the parser was 30% sure$/);
    for (const key of ['ArrowRight', 'ArrowRight', 'w', 'Home', 'ArrowRight', 'ArrowRight', 'Control+Enter'])
      await page.keyboard.press(key);
    expect(await word(page, 3).textContent()).toBe('at');
    expect(await word(page, 4).textContent()).toBe('tached');
    await page.keyboard.press('j');
    expect(await word(page, 3).textContent()).toBe('attached');
    await page.keyboard.press('b');
    expect(await page.locator('.edit-count').textContent()).toBe('of 21');
    await page.keyboard.press('Home');
    await page.keyboard.press('r');
    expect(await page.locator('.edit-problems').textContent()).toContain('another root beside word');
    expect(await axeViolations(page)).toEqual([]);
    await page.locator('.edit-problems button').first().press('Enter');
    expect(await tree(page).evaluate((box) => box === document.activeElement)).toBe(true);
    await page.locator('.edit-query').pressSequentially('V');
    await page.keyboard.press('Control+z');
    expect(await page.locator('.edit-query').inputValue()).toBe('');
    expect(await page.locator('.edit-problems').textContent()).toContain('another root beside word');
    await tree(page).focus();
    while (await page.getByRole('button', { name: 'Undo' }).isEnabled()) await page.keyboard.press('u');
    await page.keyboard.press('Home');
    expect(await said()).toBe(before);
    expect(await page.locator('#correction-title').textContent()).toBe('Correct trees');
  });

  test('moves from match to match of a query, and may begin with the word of lowest confidence', async () => {
    const unsure = gold.map((sentence, i) => {
      const misc = sentence.misc.map((_, d) => (d === 0 ? '' : `Confidence=0.${i === 7 && d === 2 ? 1 : 9}`));
      return formatSentence(sentence, 'conllu', { ...sentence, misc });
    });
    writeFileSync(join(folder, 'work.conllu'), unsure.join(''));
    const other = await serveHere(service.admission.models, { edit: folder, unsure: true });
    const page = await openPage(other.address, { viewport: { width: 1400, height: 1200 } });
    await page.getByText('the parser was 10% sure').waitFor();
    expect(await page.locator('.edit-position').inputValue()).toBe('8');
    const positions = gold.flatMap(({ xpos }, i) => xpos.flatMap((tag) => (tag === 'MD' ? [i + 1] : [])));
    await page.locator('.edit-position').fill('20');
    await page.locator('.edit-position').press('Enter');
    await page.locator('.edit-query').fill('M [xpos=MD]');
    const walked: number[] = [];
    for (const _ of positions) {
      await page.locator('.edit-query').press('Enter');
      walked.push(Number(await page.locator('.edit-position').inputValue()));
    }
    expect(walked.toSorted((a, b) => a - b)).toEqual(positions);
    await page.locator('.edit-query').fill('M [xpos=');
    await page.getByRole('button', { name: 'Next match' }).click();
    await page.getByText('query:').waitFor();
    await other.app.close();
  });

  test('corrects and downloads the trees of a parser without a folder, on a phone', async () => {
    const plain = await serveHere(service.admission.models);
    const page = await openPage(plain.address, {
      viewport: { width: 320, height: 640 },
      acceptDownloads: true,
    });
    await page.locator('#words').fill(goldText.split('\n\n').slice(0, 2).join('\n\n'));
    await page.getByLabel('small', { exact: true }).check();
    await page.getByRole('button', { name: 'Parse', exact: true }).click();
    await page.getByRole('button', { name: 'Correct the trees of small', exact: true }).click();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Make it the root' }).click();
    expect(await excessWidth(page)).toBe(0);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CoNLL-U' }).click();
    const path = await (await download).path();
    const [first, ...others] = readSentences(readFileSync(path, 'utf8'));
    expect([first.heads[1], first.labels[1], others.length]).toEqual([0, 'root', 1]);
    await plain.app.close();
  });
});
