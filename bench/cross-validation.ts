import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { Command } from 'commander';
import { readTemplates } from '../cli/commands/train/trainable.ts';
import { optionsOfSchema, readOptions } from '../cli/options/schema-options.ts';
import { trainParser } from '../combine/train-parser.ts';
import type { Paradigm } from '../parsers/parser.ts';
import { findParadigm } from '../parsers/registry.ts';
import { scoreHeldOut } from '../src/training/held-out.ts';
import type { EpochScores } from '../src/training/training-run.ts';
import type { Sentence } from '../src/treebank/sentence.ts';
import { inMemory } from '../src/treebank/treebanks.ts';

/** Options of a paradigm, with the command-line arguments that set them. */
export interface Candidate {
  readonly words: string;
  readonly paradigm: Paradigm;
  readonly options: object;
}

export async function candidateOf(name: string, words: string): Promise<Candidate> {
  const paradigm = await findParadigm(name);
  const { options, templates } = paradigm;
  const command = new Command(`train ${name}`);
  for (const option of optionsOfSchema(options)) command.addOption(option);
  command.parse(words.split(/\s+/).filter(Boolean), { from: 'user' });
  const values = command.opts<{ templates?: readonly string[] }>();
  const read = templates && { templates: await readTemplates(templates, values.templates ?? []) };
  return { words, paradigm, options: readOptions(options, { ...values, ...read }) as object };
}

export interface Fold {
  readonly train: readonly Sentence[];
  readonly heldOut: readonly Sentence[];
}

/** Neighbouring sentences mostly belong to one text, so they are kept in one fold where no documents are marked. */
const SENTENCES_A_BLOCK = 20;

const startsDocument = ({ source }: Sentence) => /^# *newdoc\b/m.test(source?.text ?? '');

/** Samples about `most` tokens of a treebank as documents, or else as blocks of neighbouring sentences. */
export function blocksOf(sentences: readonly Sentence[], most: number): Sentence[][] {
  const hasDocuments = sentences.some(startsDocument);
  const blocks: Sentence[][] = [];
  sentences.forEach((sentence, i) => {
    if (i === 0 || (hasDocuments ? startsDocument(sentence) : i % SENTENCES_A_BLOCK === 0)) blocks.push([]);
    blocks.at(-1)!.push(sentence);
  });
  const tokens = sentences.reduce((sum, { length }) => sum + length, 0);
  const share = Math.min(1, most / tokens);
  return blocks.filter((_, i) => Math.floor((i + 1) * share) > Math.floor(i * share));
}

export function foldsOf(blocks: readonly (readonly Sentence[])[], k: number): Fold[] {
  return Array.from({ length: k }, (_, fold) => ({
    train: blocks.filter((_, i) => i % k !== fold).flat(),
    heldOut: blocks.filter((_, i) => i % k === fold).flat(),
  }));
}

/** Trains in one thread, and scores the held-out sentences after the last epoch, or after every one. */
export async function measureFold(
  { paradigm, options }: Candidate,
  { train, heldOut }: Fold,
  { seed, everyEpoch }: { readonly seed: number; readonly everyEpoch: boolean },
): Promise<Omit<FoldResult, 'key'>> {
  const started = process.cpuUsage();
  const scores: EpochScores[] = [];
  const dev = inMemory(heldOut, 'sentences held out');
  const { parser } = await trainParser(paradigm, inMemory(train, 'sentences learnt from'), {
    options,
    seed,
    jobs: 1,
    ...(everyEpoch && { dev }),
    onProgress: (progress) => {
      if (progress.dev !== undefined) scores.push(progress.dev);
    },
  });
  if (!everyEpoch) scores.push(await scoreHeldOut(dev, (sentence) => parser.parse(sentence)));
  const { user, system } = process.cpuUsage(started);
  const tokens = heldOut.reduce((sum, { length }) => sum + length, 0);
  return { tokens, scores, cpuSeconds: (user + system) / 1e6 };
}

export interface FoldResult {
  /** Identifies the training: options, treebank, sampling, fold, seed. */
  readonly key: string;
  readonly tokens: number;
  /** After the last epoch, or after every one. */
  readonly scores: readonly { readonly uas: number; readonly las: number }[];
  readonly cpuSeconds: number;
}

/** Measurements by key, optionally saved in a file, one line of JSON each. */
export class Results {
  private readonly results = new Map<string, FoldResult>();

  constructor(private readonly file: string | undefined) {
    if (file === undefined || !existsSync(file)) return;
    const text = readFileSync(file, 'utf8');
    // An incomplete last line was cut off when the program was stopped.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    truncateSync(file, Buffer.byteLength(whole));
    for (const line of whole.split('\n').slice(0, -1)) {
      const result: FoldResult = JSON.parse(line);
      this.results.set(result.key, result);
    }
  }

  async get(key: string, measure: () => Promise<Omit<FoldResult, 'key'>>): Promise<FoldResult> {
    const known = this.results.get(key);
    if (known !== undefined) return known;
    const result = { key, ...(await measure()) };
    this.results.set(key, result);
    if (this.file !== undefined) appendFileSync(this.file, `${JSON.stringify(result)}\n`);
    return result;
  }
}
