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
  /** Whether a page may ask for an address. */
  readonly isOwn: (url: string) => boolean;
  /** Whether the console may say this; left out: nothing. */
  readonly isExpected?: (said: string) => boolean;
  /** Whether they keep something in the browser: each then has a context of its own, which costs several times a page. */
  readonly keepsData?: boolean;
}

/** The address of an idle page: the next test reuses it, since opening a page costs more than loading one. */
const nowhere = 'about:blank';

/**
 * Pages in a browser for the tests of one file. After each test it is checked that they have said nothing to the console,
 * opened no dialog, asked for nothing but what is theirs, and, unless they may, kept nothing for the pages after them.
 */
export function browserPages({ isOwn, isExpected = () => false, keepsData = false }: PageRules) {
  let browser: Browser;
  /** By their options, as JSON. */
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

/** Leaves a page for the next test; the names of what it has kept in the browser. */
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

/** Whether an address is of a file, or of no place at all. */
export const isFileOrData = (url: string) => /^(file|data):/.test(url);

/** What axe has against a page, of these impacts if given, with the elements that it means. */
export async function axeViolations(page: Page, impacts?: readonly string[]): Promise<string[]> {
  // Not as an element of the page, which may take no script but its own.
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(async (impacts) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    // All rules are tried; only of what violates them every element is described.
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    const meant = violations.filter(({ impact }) => impacts?.includes(impact) ?? true);
    return meant.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
  }, impacts);
}

/** Whether the words of a picture stand from right to left. */
export async function expectRightToLeft(words: Locator): Promise<void> {
  const places = await words.evaluateAll((all) => all.map((word) => word.getBoundingClientRect().left));
  expect(places.length).toBeGreaterThan(1);
  expect(places).toEqual(places.toSorted((a, b) => b - a));
}

/** How many pixels a page is wider than its window. */
export function excessWidth(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** The colour behind all. */
export function groundOf(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}
