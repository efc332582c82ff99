import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { cliPath, runCli } from '../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'parliament-resume-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Sentences of a small made-up language, enough for epochs of some length. */
function treebank(sentences: number): string {
  let text = '';
  for (let s = 0; s < sentences; s++) {
    const n = 5 + (s % 12);
    for (let d = 1; d <= n; d++) {
      const tag = ['D', 'N', 'V', 'P'][(s * d + d) % 4];
      const head = d === 1 ? 0 : ((s + d) % (d - 1)) + 1;
      text += `${d}\tw${(s * 7 + d * 3) % 50}\t_\t${tag}\t_\t_\t${head}\t${d === 1 ? 'root' : `r${tag}`}\t_\t_\n`;
    }
    text += '\n';
  }
  return text;
}

const trainFile = join(folder, 'train.conllu');
writeFileSync(trainFile, treebank(600));

function trainArgs(model: string): string[] {
  const files = ['--train', trainFile, '--dev', trainFile, '--model', join(folder, model)];
  return ['train', 'graph', ...files, '--epochs', '5', '--seed', '3', '--quiet'];
}

/** Trains until the first checkpoint is there and a random moment more, then ends the process by a signal. */
async function trainAndEnd(model: string, signal: NodeJS.Signals): Promise<number | null> {
  const child = spawn(process.execPath, [cliPath, ...trainArgs(model)], { stdio: 'ignore' });
  const closed = once(child, 'close');
  while (!existsSync(join(folder, `${model}.checkpoint`)) && child.exitCode === null) await setTimeout(5);
  const delay = Math.floor(Math.random() * 300);
  console.log(`${signal} ${delay} ms after the first checkpoint`);
  await setTimeout(delay);
  child.kill(signal);
  const [status] = await closed;
  return status;
}

describe('a training that is ended at any moment and resumed', () => {
  it('gives the same bytes as an uninterrupted one, after kill -9 and after Ctrl-C', async () => {
    expect(runCli(trainArgs('whole.model')).stderr).toBe('');
    const whole = readFileSync(join(folder, 'whole.model'));
    for (const [model, signal] of [
      ['killed.model', 'SIGKILL'],
      ['stopped.model', 'SIGINT'],
    ] as const) {
      const status = await trainAndEnd(model, signal);
      if (status !== 0) {
        expect(status).toBe(signal === 'SIGINT' ? 130 : null);
        expect(existsSync(join(folder, model))).toBe(false);
        expect(runCli([...trainArgs(model), '--resume'])).toMatchObject({ status: 0, stderr: '' });
      }
      expect(readFileSync(join(folder, model)).equals(whole)).toBe(true);
      expect(existsSync(join(folder, `${model}.checkpoint`))).toBe(false);
    }
  });
});
