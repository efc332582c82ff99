import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { needs } from './needs.ts';

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser that tests open pages in: the one named by CHROMIUM, or an installed one; undefined if there is none. */
const chromiumPath = process.env.CHROMIUM ?? usualPaths.find((path) => existsSync(path));

export const needsChromium = needs('chromium', chromiumPath !== undefined);

export function launchChromium(): Promise<Browser> {
  // The tests need no graphics card, and a process for each page would take longer than the page.
  const args = ['--disable-gpu', '--renderer-process-limit=1'];
  const isRoot = process.getuid?.() === 0; // Chromium refuses to run its sandbox as root
  return chromium.launch({
    executablePath: chromiumPath!,
    args: [...args, ...(isRoot ? ['--no-sandbox'] : [])],
  });
}

/** A context whose pages have a long timeout, since on a slow machine they may take minutes instead of seconds. */
export async function newContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(120_000);
  return context;
}
