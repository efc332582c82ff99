/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { program } from '../../cli/program.ts';
import { packageFolder } from '../../src/files/package-folder.ts';
import { launchChromium, needsChromium } from '../support/chromium.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('site');
const folder = sandbox.path('site');
const page = (name: string) => readFileSync(join(folder, name), 'utf8');

beforeAll(() => {
  const options = { cwd: packageFolder, encoding: 'utf8' } as const;
  execFileSync(process.execPath, ['build/docs/main.mjs', folder], options);
});

describe('the documentation site', () => {
  test('has every page of docs/, and the README first', () => {
    const files = readdirSync(join(packageFolder, 'docs')).filter((name) => name.endsWith('.md'));
    for (const file of files) expect(page(file.replace('.md', '.html'))).toContain('<h1 id=');
    expect(page('index.html')).toContain('<h1 id="parliament">');
  });

  test('has every command and option', async () => {
    for (const command of (await program()).commands) {
      const text = page(`command-${command.name()}.html`);
      for (const { long } of [command, ...command.commands].flatMap(({ options }) => options)) {
        expect(text).toContain(long!);
      }
    }
  });

  test('has every name of the API', () => {
    const all = readdirSync(folder).filter((name) => name.startsWith('api-'));
    const text = all.map(page).join('');
    const index = readFileSync(join(packageFolder, 'dist', 'index.d.ts'), 'utf8');
    const names = [...index.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) =>
      list!.split(',').map((each) => each.trim().split(/\s+/).at(-1)!),
    );
    expect(names.length).toBeGreaterThan(200);
    for (const name of names) expect(text).toContain(`<h2 id="${name.toLowerCase()}`);
  });

  test('loads nothing from any other host', () => {
    const loaded = /<(?:script|img|link)[^>]*(?:src|href)="(https?:)?\/\//;
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.html'))) {
      expect(page(name)).not.toMatch(loaded);
    }
  });
});

needsChromium.test(
  'its pages open from disk, fit a phone, are searched by keyboard and have no fault of access',
  async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');
    const browser = await launchChromium();
    const tab = await browser.newPage({ viewport: { width: 375, height: 800 }, colorScheme: 'dark' });
    const troubles: string[] = [];
    tab.on('console', (message) => troubles.push(message.text()));
    tab.on('pageerror', (error) => troubles.push(error.message));
    for (const name of [
      'index.html',
      'transitions.html',
      'command-train.html',
      'api-vote-and-make-ensembles.html',
    ]) {
      await tab.goto(pathToFileURL(join(folder, name)).href);
      expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
      await tab.evaluate(axe);
      const { violations } = await tab.evaluate(
        (): Promise<AxeResults> => Reflect.get(globalThis, 'axe').run({ preload: false }),
      );
      expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
    }
    await tab.keyboard.press('/');
    await tab.keyboard.type('dynamic oracle');
    expect(await tab.locator('#found a').first().textContent()).toMatch(/\w/);
    await tab.keyboard.press('Enter');
    await tab.waitForURL(/\.html/);
    expect(troubles).toEqual([]);
    await browser.close();
  },
);
