/// <reference lib="dom" />
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { trainParser } from '../../../combine/train-parser.ts';
import { findParadigm } from '../../../parsers/registry.ts';
import type { ParseExplanation } from '../../../src/explain/explanation.ts';
import type { MatrixExplanation } from '../../../src/explain/matrix.ts';
import { explainMatrix, searchIn } from '../../../src/explain/matrix-explanation.ts';
import { explanationPage } from '../../../src/report/explanation/explanation-page.ts';
import { framesOf } from '../../../src/report/explanation/frames.ts';
import { explanationSections } from '../../../src/report/explanation/sections.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { FirstSentences, inMemory } from '../../../src/treebank/treebanks.ts';
import { needsChromium } from '../../support/chromium.ts';
import { hostile } from '../../support/page-fixture.ts';
import {
  axeViolations,
  browserPages,
  excessWidth,
  groundOf,
  isFileOrData,
  type PageOptions,
} from '../../support/pages.ts';
import { sampleText } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { inflected } from '../../support/small-pipeline.ts';

const sandbox = new Sandbox('explanation');
const [, plain] = readSentences(sampleText('dev'));
/** A sentence whose id and one word contain HTML. */
const sentence: Sentence = {
  ...plain,
  forms: plain.forms.map((form, d) => (d === 3 ? hostile : form)),
  id: hostile,
};

async function explained(paradigm: string, options: object): Promise<ParseExplanation> {
  const { parser } = await trainParser(
    await findParadigm(paradigm),
    new FirstSentences(inflected('train'), 50),
    { options },
  );
  return parser.explain!(sentence, { gold: sentence });
}

const steps = explained('transition', { epochs: 1, bits: 14, beam: 1 });
const rounds = explained('graph', { epochs: 1, bits: 14 });

describe('the frames of a search', () => {
  test.each([
    ['steps', () => steps],
    ['rounds', () => rounds],
    ['spans', () => explained('graph', { epochs: 1, bits: 14, decoder: 'eisner' })],
  ])('end with the parser’s tree, and each lists the arcs that it adds (%s)', async (_name, get) => {
    const whole = await get();
    const frames = framesOf(whole);
    expect(frames.at(-1)!.heads).toEqual(whole.tree.heads);
    frames.forEach(({ heads, added }, i) => {
      const before = frames[i - 1]?.heads ?? heads.map(() => -1);
      expect(added).toEqual([...heads.keys()].filter((d) => heads[d] !== before[d] && heads[d] !== -1));
    });
  });
});

test('the title of a step has its number, but not the number of all steps', async () => {
  const titles = framesOf(await steps).map(({ title }) => title);
  expect(titles[0]).toMatch(/^Step 1: /);
  expect(titles.join()).not.toMatch(/Step \d+ of/);
});

test('a long row of trees is shortened with … on both sides', () => {
  const tokens = Array.from('0123456789abcd', (form) => ({ form, tag: 'X' }));
  const step = { row: [...tokens.keys()].slice(1), focus: 5, action: 'right', margin: 1, actions: [] };
  const tree = { heads: tokens.map(() => 0), labels: tokens.map(() => '_') };
  const moments = { paradigm: 'yamada-matsumoto', steps: [step], tokens, tree };
  const [{ tables }] = explanationSections(moments as unknown as ParseExplanation);
  expect(tables[0].table.rows[0][1]).toBe('… 2 3 4 5 [6 7] 8 9 a b …');
});

test('the navigation of a page without steps links to the tree', async () => {
  const { tokens, tree, notices } = await rounds;
  const page = explanationPage({
    ...{ paradigm: 'pipeline', parts: ['tagger'], columns: {}, parser: undefined },
    ...{ tokens, tree, notices },
  } as ParseExplanation);
  expect(page).toContain('>The tree</a>');
  expect(page).not.toContain('Step by step');
});

test('HTML in the title and the words of a sentence is escaped', async () => {
  const page = explanationPage(await rounds, { title: hostile });
  expect(page).not.toContain('<img');
  expect(page).toContain('&#60;img');
});

test('words with their numbers are isolated from the writing direction of the text around them', async () => {
  const page = explanationPage(await explained('graph', { epochs: 1, bits: 14, decoder: 'eisner' }));
  expect(page).toMatch(/<h3>Complete span \d+–\d+, head <bdi>[^<]+ \(\d+\)<\/bdi>: [\d,.−-]+<\/h3>/);
});

test('words in the titles of columns keep their case', async () => {
  const whole = (await rounds) as MatrixExplanation & { paradigm: 'graph' };
  const alternatives = ['dogs (3)', 'Cats (5)'].map((name, i) => {
    return { name, score: 1 - i, contributions: [{ template: 'hf', feature: 'h.form=x', weight: 1 - i }] };
  });
  const head = { alternatives, against: 'runner-up', margin: 1 } as const;
  const page = explanationPage({ ...whole, arc: { dependent: 1, head, label: head } } as ParseExplanation);
  expect(page).toMatch(/<th[^>]*><bdi>dogs \(3\)<\/bdi><\/th>/);
  expect(page).toContain('>Template</th>');
});

test('arcs and labels that differ from the gold tree are marked, but not if arcs are lifted', async () => {
  const { tree, ...others } = await rounds;
  const gold = {
    heads: tree.heads.map((head, d) => (d === 4 ? (head === 1 ? 2 : 1) : head)),
    labels: tree.labels.map((label, d) => (d === 5 ? 'odd' : label)),
  };
  const marksOf = (changes: object) => {
    const page = explanationPage({ ...others, tree, ...changes } as ParseExplanation);
    const count = (text: string) => page.split(text).length - 1;
    return [count('class="wrong-head"'), count('class="wrong-label"'), count('✗ marks arcs')];
  };
  // The pictures of the rounds mark wrong arcs, too.
  const [heads, labels] = marksOf({ gold: tree });
  expect(labels).toBe(0);
  expect(marksOf({ gold })).toEqual([expect.toSatisfy((n) => n > heads), expect.toSatisfy((n) => n > 0), 1]);
  expect(marksOf({ gold, built: tree })).toEqual([0, 0, 0]);
  const { arcs } = others as Extract<ParseExplanation, { paradigm: 'graph' }>;
  const lifted = { built: tree, arcs: arcs.map((arc) => ({ ...arc, label: `${arc.label}↑` })) };
  const page = explanationPage({ ...others, ...lifted, tree, gold: tree } as ParseExplanation);
  expect(page).not.toContain('✗');
});

needsChromium.describe('the explanation page in a browser', () => {
  const openPage = browserPages({ isOwn: isFileOrData });
  const addresses = new Map<string, string>();

  beforeAll(async () => {
    for (const [name, explanation] of Object.entries({ steps: await steps, rounds: await rounds })) {
      const file = sandbox.save(`${name}.html`, explanationPage(explanation));
      addresses.set(name, pathToFileURL(file).href);
    }
  });

  const open = (name: string, options: PageOptions = {}) => openPage(addresses.get(name)!, options);

  const place = (page: Page) => page.locator('#place').textContent();
  const shownArcs = (page: Page) => page.locator('.picture:not(.away) g:not(.away) path.arc').count();

  test('steps forward and back by buttons, keys and slider, and shows the arcs found so far', async () => {
    const page = await open('steps');
    const count = (await page.locator('.frame').count()).toString();
    expect(await place(page)).toBe(`1 of ${count}`);
    expect(await page.locator('.frame:visible').count()).toBe(1);
    const before = await shownArcs(page);
    await page.getByRole('button', { name: 'Forward' }).click();
    expect(await place(page)).toBe(`2 of ${count}`);
    await page.locator('h1').click();
    await page.keyboard.press('ArrowRight');
    expect(await place(page)).toBe(`3 of ${count}`);
    await page.keyboard.press('ArrowLeft');
    expect(await place(page)).toBe(`2 of ${count}`);
    await page.getByRole('slider').fill(count);
    expect(await place(page)).toBe(`${count} of ${count}`);
    expect(await shownArcs(page)).toBe(sentence.length);
    expect(before).toBeLessThan(sentence.length);
    expect(await page.getByRole('button', { name: 'Forward' }).isDisabled()).toBe(true);
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await place(page)).toBe(`${Number(count) - 1} of ${count}`);
  });

  test('shows the step of the slider, also when the user comes back to the page', async () => {
    const page = await open('steps');
    await page.getByRole('slider').fill('3');
    await page.goto('about:blank');
    await page.goBack();
    const at = await page.getByRole('slider').inputValue();
    expect(await place(page)).toMatch(new RegExp(`^${at} of `));
  });

  test('marks the new arc, and announces the step to screen readers', async () => {
    const page = await open('steps');
    const index = framesOf(await steps).findIndex(({ added }) => added.length > 0);
    await page.getByRole('slider').fill(String(index + 1));
    expect(await page.locator('.picture:not(.away) g.here:not(.away) path.arc').count()).toBe(1);
    expect(await page.locator('#frames').getAttribute('aria-live')).toBe('polite');
    const title = await page.locator('.frame:visible h3').textContent();
    expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toBe(title);
  });

  test('has a heat map with a cell for every arc, and marks the arcs of the tree', async () => {
    const page = await open('rounds');
    const cells = page.locator('.heat td');
    expect(await cells.count()).toBe((sentence.length + 1) * sentence.length);
    const texts = await cells.allTextContents();
    expect(texts.filter((text) => text.includes('◆'))).toHaveLength(sentence.length);
  });

  test('lets only tables and pictures scroll sideways on a narrow screen', async () => {
    for (const name of ['steps', 'rounds']) {
      const page = await open(name, { viewport: { width: 375, height: 700 } });
      expect(await excessWidth(page), name).toBe(0);
    }
  });

  test('is dark if the system prefers it or the user chooses it', async () => {
    const dark = await open('steps', { colorScheme: 'dark' });
    const light = await open('steps', { colorScheme: 'light' });
    expect(await groundOf(dark)).not.toBe(await groundOf(light));
    await light.getByLabel('Theme').selectOption('dark');
    expect(await groundOf(light)).toBe(await groundOf(dark));
  });

  test.each(['light', 'dark'] as const)(
    'has no accessibility problems that axe finds, in the %s theme',
    async (colorScheme) => {
      for (const name of ['steps', 'rounds']) {
        expect(await axeViolations(await open(name, { colorScheme })), name).toEqual([]);
      }
    },
  );

  test('shows all steps if scripts are disabled', async () => {
    const page = await open('steps', { javaScriptEnabled: false });
    expect(await page.locator('.frame:visible').count()).toBe(await page.locator('.frame').count());
    expect(await page.locator('#stepper').isVisible()).toBe(false);
  });
});

test('a search that finds several roots is shown first, then what the single-root rule changes', () => {
  // The root is the best head of both tokens; attaching 2 to 1 costs 3, attaching 1 to 2 costs 4.
  const scores = Float32Array.from([0, 9, 9, 0, 0, 6, 0, 5, 0]);
  const tree = { heads: Int32Array.of(-1, 0, 1), labels: ['', 'root', 'x'] };
  const matrix = { scores, n: 2, decoder: 'chu-liu-edmonds', singleRoot: true, isProjective: false, tree };
  const search = searchIn(matrix);
  expect(search).toMatchObject({
    rounds: [{ cycles: [] }],
    oneRoot: { roots: [1, 2], changes: [{ dependent: 2, from: 0, to: 1, cost: 3 }] },
  });
  const tokens = ['', 'a', 'b'].map((form) => ({ form, tag: 'X' }));
  const shownTree = { heads: [...tree.heads], labels: tree.labels };
  const explained = { paradigm: 'network', tokens, tree: shownTree, notices: [], search } as const;
  const whole = { ...explained, ...explainMatrix(matrix) } as unknown as MatrixExplanation;
  const frames = framesOf(whole);
  expect(frames.map(({ heads }) => heads.join(' '))).toEqual(['-1 0 0', '-1 0 1', '-1 0 1']);
  expect(frames[1].lines[0]).toBe(
    'The best tree has 2 roots: a (1), b (2). The best one with a single root, a (1), scores 3 less.',
  );
  const [arcs] = explanationSections(whole);
  expect(arcs.tables[0].table.rows[1]).toContain('would be a second root');
});

const phrases = readSentences('(S (NP (DT the) (JJ big) (NN cat)) (VP (VBZ sees) (NP (NN it))))\n'.repeat(9));

test('a PCFG’s page has the phrase tree, the chart and a step for each phrase', async () => {
  const { parser } = await trainParser(await findParadigm('pcfg'), inMemory(phrases, 'brackets'), {});
  const whole = parser.explain!(phrases[0], {});
  const page = explanationPage(whole);
  // A control character would be shown as U+FFFD; the page's own texts have none.
  expect(page).not.toContain('\ufffd');
  expect(page.match(/<text class="label"[^>]*>NP</g)).toHaveLength(2);
  expect(page).toContain('<caption>Phrases by first word and length</caption>');
  expect(page).toMatch(
    /<li class="marked"><b>VP<\/b> [^<]*<span class="range"><bdi>VP → VBZ NP<\/bdi>, split at 5</,
  );
  expect(page).toContain('·: part of a phrase with more than two children');
  const frames = framesOf(whole);
  expect(frames.map(({ title }) => title)).toContain('VP → VBZ NP');
  expect(frames.at(-1)!.heads).toEqual(whole.tree.heads);
});

test('the page of a span parser has the phrase tree, the chart of probabilities, and a step for each span', async () => {
  const options = { epochs: 30, units: 16, layers: 1 };
  const { parser } = await trainParser(await findParadigm('spans'), inMemory(phrases, 'brackets'), {
    options,
  });
  const whole = parser.explain!(phrases[0], {});
  const page = explanationPage(whole);
  // A control character would be shown as U+FFFD; the page's own texts have none.
  expect(page).not.toContain('\ufffd');
  expect(page.match(/<text class="label"[^>]*>NP</g)).toHaveLength(2);
  expect(page).toContain('<caption>Phrases by first word and length</caption>');
  expect(page).toMatch(/<li class="marked"><b>VP<\/b> \d+%</);
  expect(page.match(/<td><ul>/g)!.length).toBeLessThan(15);
  const frames = framesOf(whole);
  const np = frames.find(({ title }) => title === 'NP: words 1–3')!;
  expect(np.choices.map(({ name, isChosen }) => [name, isChosen])).toEqual([
    ['split before cat (3)', true],
    ['split before big (2)', false],
  ]);
  expect(frames.at(-1)!.heads).toEqual(whole.tree.heads);
});
