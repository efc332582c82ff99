/** Entry point of a process: loads a model, parses a file several times in one thread, prints times and memory as JSON. */
import { readFileSync } from 'node:fs';
import type { Parser } from '../parsers/parser.ts';
import { loadParser } from '../parsers/registry.ts';
import { parseBatch } from '../parsers/run/batch-parser.ts';
import { openTreebank } from '../src/treebank/reading/treebank-file.ts';

export interface ParseFigures {
  readonly sentences: number;
  readonly tokens: number;
  readonly firstSeconds: number;
  readonly warmSeconds: readonly number[];
  readonly peakMemory: number;
}

const [modelPath, file, times] = process.argv.slice(2);
readFileSync(file); // so that the first pass does not wait for the disk
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

/** Does the same as `parliament parse`, except that no output is written. */
async function parseWhole(parser: Parser, file: string) {
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
