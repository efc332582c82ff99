// `npm run pictures`: draws the pictures in docs/pictures from the bundled sample. Pictures of pages need a browser,
// named by the environment variable CHROMIUM (default: /usr/bin/chromium); without a browser they are not redrawn.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { frontierPlot } from '../dist/src/report/plot-svg.js';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const port = 8931;
const pictures = resolve('docs/pictures');
const main = resolve('dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'parliament-pictures-'));
/** Relative, since the pages show the paths of files as they were given. */
const sample = (part) => join('sample', `${part}.conllu`);

const environment = { ...process.env, PARLIAMENT_HOME: join(folder, 'home') };
const parliament = (...words) =>
  execFileSync(process.execPath, [main, ...words, '--quiet'], { cwd: folder, env: environment });

/** Trains three parsers on the sample, parses its test part, and compares them with their vote. */
function parseSample() {
  const kinds = { graph: 'graph', eager: 'transition', bigram: 'bigram' };
  for (const [name, kind] of Object.entries(kinds)) {
    parliament('train', kind, '--train', sample('train'), '--model', `${name}.model`);
    parliament('parse', '--model', `${name}.model`, sample('test'), '-o', `${name}.conllu`);
  }
  const files = Object.keys(kinds).map((name) => `${name}.conllu`);
  parliament('vote', ...files, '-o', 'vote.conllu');
  parliament('compare', sample('test'), ...files, 'vote.conllu', '--html', 'report.html');
}

/** Draws the vote of the README's example. */
function drawVote() {
  parliament(
    'train',
    'graph',
    '--decoder',
    'eisner',
    '--train',
    sample('train'),
    '--model',
    'projective.model',
  );
  const members = ['graph', 'projective', 'eager'].flatMap((name) => ['--model', `${name}.model`]);
  parliament('vote', ...members, sample('test'), '--dev-gold', sample('dev'), '-o', 'weighted.conllu');
  const sentence = ['--sentence', '63', '--gold', sample('test')];
  execFileSync(
    process.execPath,
    [main, 'draw', 'weighted.conllu', ...sentence, '--svg', join(pictures, 'vote.svg')],
    {
      cwd: folder,
    },
  );
}

/** Plots accuracy over speed of the students and models in the table of docs/results.md. */
function plotFrontier() {
  const section = readFileSync('docs/results.md', 'utf8')
    .split(/^## Distillation$/m)[1]
    .split(/^## /m)[0];
  const number = (text) => Number(text.replaceAll(',', ''));
  const series = [];
  for (const [, name, , las, speed] of section.matchAll(
    /^\| ?(.*?) \| ([\d,]*) ?\| ([\d.]+) \| ([\d,]+) \|/gm,
  )) {
    if (name !== '')
      series.push({ name: name.replaceAll('`', '').replace(/^the ready model /, ''), points: [] });
    series.at(-1).points.push({ x: number(speed), y: number(las) });
  }
  const labels = {
    title: 'Students by amount of text',
    xLabel: 'words per second of one thread',
    yLabel: 'UD LAS (%)',
  };
  writeFileSync(join(pictures, 'frontier.svg'), frontierPlot({ ...labels, series }));
}

/** Serves a pipeline and two parsers until `use` is done. */
async function served(use) {
  const parser = ['--parser', 'transition', '--beam', '1', '--tags', 'gold'];
  parliament('train', 'pipeline', '--train', sample('train'), '--model', 'english.model', ...parser);
  const models = ['english', 'graph', 'bigram'].flatMap((name) => ['--model', `${name}.model`]);
  const service = spawn(process.execPath, [main, 'serve', ...models, '--port', String(port), '--quiet'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const address = `http://127.0.0.1:${port}/`;
    while (!(await fetch(`${address}health`).catch(() => undefined))?.ok) {
      if (service.exitCode !== null) throw new Error('the service has not begun');
      await setTimeout(100);
    }
    await use(address);
  } finally {
    service.kill();
  }
}

async function photographPages() {
  const isRoot = process.getuid?.() === 0; // Chromium refuses to run its sandbox as root
  const browser = await chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] });
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 }, colorScheme: 'light' });
  await page.goto(pathToFileURL(join(folder, 'report.html')).href);
  await page.screenshot({ path: join(pictures, 'report.png') });
  await served(async (address) => {
    await page.goto(address);
    await page.locator('#models input').first().waitFor();
    await page.locator('#words').fill('The old dogs bark all night, and nobody knows why.');
    await page.getByRole('button', { name: 'Parse', exact: true }).click();
    await page.locator('#trees svg').first().waitFor();
    await page.screenshot({ path: join(pictures, 'service.png') });
  });
  await browser.close();
}

mkdirSync(pictures, { recursive: true });
try {
  cpSync(resolve('data/sample'), join(folder, 'sample'), { recursive: true });
  parseSample();
  drawVote();
  plotFrontier();
  if (existsSync(executablePath)) await photographPages();
  else console.log(`no browser at ${executablePath}: the pictures of pages stay as they are`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
