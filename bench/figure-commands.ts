/** Runs the commands of docs/figures.json, on whole files or on the first sentences of each. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { jsonDigest } from '../src/digest.ts';
import { InputError } from '../src/errors.ts';
import { writeTextFile } from '../src/files/atomic-file.ts';
import { packageFolder } from '../src/platform/package.ts';
import { realTreebanks } from './real-treebanks.ts';

/** Treebanks, texts, word vectors, and other programs' output. */
const shared = join(packageFolder, '..', 'shared');
const SENTENCES = 30;
/** Of texts and word vectors. */
const LINES = 500;

/** Runs commands with a built clone, in a folder where models and reports that figures share are kept. */
export class FigureCommands {
  constructor(
    private readonly clone: string,
    private readonly folder: string,
    /** The files that commands read. */
    private readonly inputs: string = shared,
  ) {}

  /**
   * Returns the JSON that the last step prints, or has printed for another figure. Steps before it whose model is there
   * already are not run again.
   *
   * @throws InputError if a step fails
   */
  async report(command: string): Promise<unknown> {
    const file = join(this.folder, `${jsonDigest(command)}.json`);
    if (!existsSync(file)) {
      mkdirSync(this.folder, { recursive: true });
      await writeTextFile(file, this.runSteps(command.split('; ')));
    }
    return JSON.parse(readFileSync(file, 'utf8'));
  }

  /** What the last step prints. */
  private runSteps(steps: readonly string[]): string {
    for (const step of steps.slice(0, -1)) {
      const model = /^parliament train .*--model (\S+)/.exec(step)?.[1];
      if (model === undefined || !existsSync(join(this.folder, model))) this.runStep(step);
    }
    return this.runStep(steps.at(-1)!);
  }

  /** `ud-tamil-ttb/dev` stands for that file, `texts/` and `oracles/` for these folders. */
  private runStep(step: string): string {
    const line = step
      .replace(/^parliament\b/, `${process.execPath} ${join(this.clone, 'dist', 'cli', 'main.js')}`)
      .replace(/(\S+)\/(train|dev)\b/g, (_, name: string, part: 'train' | 'dev') => this.treebank(name, part))
      .replace(/\b(texts|oracles)\//g, `${this.inputs}/$1/`);
    try {
      return execFileSync(line, { cwd: this.folder, shell: true, encoding: 'utf8' });
    } catch {
      throw new InputError(`failed: ${line}`);
    }
  }

  private treebank(name: string, part: 'train' | 'dev'): string {
    const file = realTreebanks.find((treebank) => treebank.name === name)?.[part];
    if (file === undefined) throw new InputError(`no ${part} part of “${name}”`);
    return join(this.inputs, relative(shared, file));
  }
}

/** Writes the first sentences or lines of all files that commands read into a folder, unless they are there. */
export function writeFirstSentences(folder: string): void {
  const treebanks = realTreebanks.flatMap(({ train, dev = train }) => [train, dev]);
  const others = ['texts', join('oracles', 'dependencies')].flatMap((each) =>
    readdirSync(join(shared, each)).map((name) => join(each, name)),
  );
  for (const path of [...treebanks.map((file) => relative(shared, file)), ...others]) {
    const small = join(folder, path);
    if (existsSync(small)) continue;
    mkdirSync(dirname(small), { recursive: true });
    writeFileSync(small, beginningOf(join(shared, path)));
  }
}

function beginningOf(file: string): Buffer {
  const bytes = readFileSync(file);
  if (!file.endsWith('.gz')) return firstOf(bytes, '\n\n', SENTENCES);
  return gzipSync(firstOf(gunzipSync(bytes), '\n', LINES));
}

/** The first units of a text, in whatever encoding. */
const firstOf = (bytes: Buffer, end: string, count: number): Buffer =>
  Buffer.from(bytes.toString('latin1').split(end, count).join(end) + end, 'latin1');
