/** In a process of its own: loads a model, parses a file some times over in one thread, prints figures. */
import { readFileSync } from 'node:fs';
import type { Parser } from '../parsers/parser.ts';
import { parseBatch } from '../parsers/run/batch-parser.ts';
import { loadParser } from '../parsers/saved-parser.ts';
import { openTreebank } from '../src/treebank/reading/treebank-file.ts';

export interface ParseFigures {
  readonly sentences: number;
  readonly tokens: number;
  /** The first time over, with code that has never run before. */
  readonly firstSeconds: number;
  /** The other times, in order. */
  readonly warmSeconds: readonly number[];
  /** Most memory that the process had, in bytes. */
  readonly peakMemory: number;
}

const [modelPath, file, times] = process.argv.slice(2);
readFileSync(file); // so that the first time over does not wait for the disk
const parser = await loadParser(modelPath);
const passes = [];
for (let i = 0; i < Number(times); i++) passes.push(await parseWhole(parser, file));
const [first, ...warm] = passes;
const figures: ParseFigures = {
  sentences: first.sentences,
  tokens: first.tokens,
  firstSeconds: first.seconds,
  warmSeconds: warm.map(({ seconds }) => seconds),
  peakMemory: process.resourceUsage().maxRSS * 1024,
};
process.stdout.write(JSON.stringify(figures));

/** From the file's bytes to the text with heads and labels: all of `parliament parse` but the writing. */
async function parseWhole(
  parser: Parser,
  file: string,
): Promise<{ sentences: number; tokens: number; seconds: number }> {
  const start = performance.now();
  const treebank = await openTreebank(file, { expect: 'tokens' });
  const figures = { sentences: 0, tokens: 0 };
  for await (const batch of treebank.batches()) {
    const parsed = parseBatch(parser, batch, { format: 'conllu', skipInvalid: false });
    figures.sentences += parsed.sentences;
    figures.tokens += parsed.tokens;
  }
  return { ...figures, seconds: (performance.now() - start) / 1000 };
}
