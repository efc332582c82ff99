import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { GraphParser } from '../../parsers/graph/graph-parser.ts';
import { graphOptions } from '../../parsers/graph/options.ts';
import { graph } from '../../parsers/graph/paradigm.ts';
import { createDecoder } from '../../src/decode/registry.ts';
import { packageFolder } from '../../src/platform/package.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { treeScore } from '../support/random-trees.ts';
import { needsShared, sharedPath } from '../support/shared.ts';

const sample = join(packageFolder, 'data', 'sample');
const english = sharedPath('treebanks/ud-english-ewt/en_ewt-ud-dev.conllu');

let trained: Promise<GraphParser> | undefined;

async function trainedOnSample(): Promise<GraphParser> {
  const treebank: Treebank = await openTreebank(join(sample, 'train.conllu'));
  const options = graphOptions.parse({ epochs: 3, bits: 18 });
  return (await graph.train(treebank, options, { seed: 1, jobs: 1 })) as GraphParser;
}

/** Compares every decoder with Chu–Liu–Edmonds on the scores of a trained parser. */
async function compareOn(file: string, sentences: number): Promise<number> {
  trained ??= trainedOnSample();
  const parser = await trained;
  let compared = 0;
  for await (const sentence of await openTreebank(file)) {
    const n = sentence.length;
    const scores = parser.scores(sentence);
    for (const singleRoot of [false, true]) {
      const score = (name: string) => {
        const heads = new Int32Array(n + 1);
        createDecoder(name, { singleRoot }).decode(scores, n, heads);
        return treeScore({ n, scores }, heads);
      };
      const best = score('chu-liu-edmonds');
      expect(score('matrix-power')).toBe(best);
      expect(score('eisner')).toBeLessThanOrEqual(best);
    }
    compared++;
    if (compared === sentences) break;
  }
  return compared;
}

describe('on the scores of a trained parser, matrix-power finds trees as good as chu-liu-edmonds', () => {
  test('for the bundled sample', async () => {
    expect(await compareOn(join(sample, 'dev.conllu'), 64)).toBe(64);
  });

  needsShared.test('for UD English EWT dev', async () => {
    expect(await compareOn(english, 300)).toBe(300);
  });
});
