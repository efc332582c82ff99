import { z } from 'zod';
import type { Paradigm, Parser, TrainingRun } from '../../parsers/parser.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { DependencyTree, Sentence, Treebank } from '../../src/treebank/sentence.ts';

const options = z.object({
  epochs: z.int().min(1).max(100).default(3).describe('passes over the data'),
  singleRoot: z.boolean().optional().describe('exactly one root'),
});
type Options = z.infer<typeof options>;

/** A parser for tests: every token hangs on the one before it; `seen` counts the tokens it was trained on. */
export class LeftNeighbourParser implements Parser {
  readonly paradigm = 'left-neighbour';
  readonly reads = [];
  readonly seen: Int32Array;

  constructor(seen: Int32Array) {
    this.seen = seen;
  }

  parse({ length }: Sentence): DependencyTree {
    const heads = Int32Array.from({ length: length + 1 }, (_, d) => d - 1);
    return { heads, labels: ['', ...Array<string>(length).fill('next')] };
  }

  save(model: ModelWriter): void {
    model.section('seen', this.seen);
  }
}

/** The paradigm of that parser. Its training is stopped, as by Ctrl-C, after `stopAfter` epochs. */
export function leftNeighbour(stopAfter = Number.POSITIVE_INFINITY): Paradigm<Options> {
  return {
    name: 'left-neighbour',
    summary: 'every token hangs on the one before it',
    options,
    keepsState: () => true,
    train: (treebank, { epochs }, run) => train(treebank, epochs, stopAfter, run),
    load: (model) => new LeftNeighbourParser(model.section('seen', 'int32')),
  };
}

async function train(
  treebank: Treebank,
  epochs: number,
  stopAfter: number,
  run: TrainingRun,
): Promise<Parser> {
  const checkpoint = run.checkpoints?.load();
  const seen = checkpoint?.section('seen', 'int32').slice() ?? new Int32Array(1);
  const done = checkpoint?.part('done', z.number()) ?? 0;
  for (let epoch = done + 1; epoch <= epochs; epoch++) {
    let sentences = 0;
    for await (const { length } of treebank) {
      seen[0]! += length;
      sentences += 1;
    }
    const training = { uas: 50 + epoch, las: 40 + epoch };
    const dev = run.dev && { uas: 30 + epoch, las: 20 + epoch };
    run.onProgress?.({ epoch, epochs, done: sentences, total: sentences, training, dev });
    run.checkpoints?.save((state) => {
      state.header.done = epoch;
      state.section('seen', seen);
    });
    if (epoch === stopAfter) throw new DOMException('stopped', 'AbortError');
  }
  return new LeftNeighbourParser(seen);
}
