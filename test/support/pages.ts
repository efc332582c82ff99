/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
  ViewportSize,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium, newContext } from './chromium.ts';

export type PageOptions = BrowserContextOptions & { readonly viewport?: ViewportSize };

export interface PageRules {
  /** Whether a page may request an address. */
  readonly isOwn: (url: string) => boolean;
  /** Whether the console may show this message; by default it may show none. */
  readonly isExpected?: (said: string) => boolean;
  /** Whether pages store data in the browser: each then gets its own context, which is several times slower. */
  readonly keepsData?: boolean;
}

/** The address of an idle page: the next test reuses it, since opening a page costs more than loading one. */
const nowhere = 'about:blank';

/**
 * Opens pages in a browser for the tests of one file. After each test it is checked that they wrote nothing to the
 * console, opened no dialog, requested only allowed addresses and, unless they may, stored nothing in the browser.
 */
export function browserPages({ isOwn, isExpected = () => false, keepsData = false }: PageRules) {
  let browser: Browser;
  /** The contexts by their options, as JSON. */
  const contexts = new Map<string, BrowserContext>();
  const troubles: string[] = [];

  async function contextWith(options: BrowserContextOptions): Promise<BrowserContext> {
    if (keepsData) return newContext(browser, options);
    const name = JSON.stringify(options);
    const context = contexts.get(name) ?? (await newContext(browser, options));
    contexts.set(name, context);
    return context;
  }

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) {
      if (keepsData) await context.close();
      else for (const page of context.pages()) troubles.push(...(await leave(page)));
    }
    expect(troubles.splice(0)).toEqual([]);
  });
  afterAll(() => browser.close());

  return async (
    address: string,
    { viewport = { width: 1280, height: 720 }, colorScheme = 'light', ...others }: PageOptions = {},
  ): Promise<Page> => {
    const context = await contextWith(others);
    const page = context.pages().find((page) => page.url() === nowhere) ?? (await context.newPage());
    page.on('console', (message) => {
      if (!isExpected(message.text())) troubles.push(message.text());
    });
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('dialog', (dialog) => troubles.push(dialog.message()));
    page.on('request', (request) => {
      if (!isOwn(request.url())) troubles.push(request.url());
    });
    await page.bringToFront();
    await page.setViewportSize(viewport);
    await page.emulateMedia({ media: null, colorScheme });
    await page.goto(address);
    return page;
  };
}

/** Empties a page for the next test; returns the names of the data that it stored in the browser. */
async function leave(page: Page): Promise<string[]> {
  if (page.url() === nowhere) return [];
  const kept = await page.evaluate(() => [
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
    ...document.cookie.split(/; */),
  ]);
  for (const event of ['console', 'pageerror', 'dialog', 'request']) page.removeAllListeners(event);
  await page.unrouteAll();
  await page.goto(nowhere);
  return kept.filter((name) => name !== '');
}

/** Whether an address is that of a file, or contains its data itself. */
export const isFileOrData = (url: string) => /^(file|data):/.test(url);

/** The violations that axe finds in a page, of these impacts if given, with the elements concerned. */
export async function axeViolations(page: Page, impacts?: readonly string[]): Promise<string[]> {
  // The script is not added as an element, since the page may forbid foreign scripts.
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(async (impacts) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    // All rules are tried, but elements are listed only for violated rules.
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    const meant = violations.filter(({ impact }) => impacts?.includes(impact) ?? true);
    return meant.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
  }, impacts);
}

/** Expects the words of a picture to stand from right to left. */
export async function expectRightToLeft(words: Locator): Promise<void> {
  const places = await words.evaluateAll((all) => all.map((word) => word.getBoundingClientRect().left));
  expect(places.length).toBeGreaterThan(1);
  expect(places).toEqual(places.toSorted((a, b) => b - a));
}

/** The number of pixels by which a page is wider than its window. */
export function excessWidth(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** The background colour of a page. */
export function groundOf(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}
