import { z } from 'zod';
import type { Paradigm, Parse, ParserImplementation } from '../../parsers/parser.ts';
import { registerParadigm } from '../../parsers/registry.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';

const options = z.strictObject({
  epochs: z.int().min(1).max(100).default(3).describe('passes over the data'),
  singleRoot: z.boolean().optional().describe('exactly one root'),
});
type Options = z.infer<typeof options>;

/** A parser for tests: the head of every token is the one before it; `seen` counts the tokens it was trained on. */
export class LeftNeighbourParser implements ParserImplementation {
  readonly paradigm = 'left-neighbour';
  readonly reads = [];
  readonly seen: Int32Array;

  constructor(seen: Int32Array) {
    this.seen = seen;
  }

  parse({ length }: Sentence): Parse {
    const heads = Int32Array.from({ length: length + 1 }, (_, d) => d - 1);
    return { heads, labels: ['', ...Array<string>(length).fill('next')], notices: [] };
  }

  save(model: ModelWriter): void {
    model.section('seen', this.seen);
  }
}

/** The number of epochs after which its training is stopped, as if by Ctrl-C. */
export const stopping = { after: Number.POSITIVE_INFINITY };

/** The paradigm of the parser `LeftNeighbourParser`. */
export const paradigm: Paradigm<Options> = {
  name: 'left-neighbour',
  summary: 'every token hangs on the one before it',
  options,
  keepsState: () => true,
  train: (treebank, { epochs }, run) => train(treebank, epochs, run),
  load: (model) => new LeftNeighbourParser(model.section('seen', 'int32')),
};

/** Registers the paradigm with the program, through a module that Node can load. */
export function registerLeftNeighbour(): Promise<Paradigm> {
  Object.assign(globalThis, { leftNeighbour: paradigm });
  return registerParadigm(new URL('left-neighbour-module.js', import.meta.url));
}

async function train(treebank: Treebank, epochs: number, run: TrainingRun): Promise<LeftNeighbourParser> {
  const checkpoint = run.checkpoints?.load();
  const seen = checkpoint?.section('seen', 'int32').slice() ?? new Int32Array(1);
  const done = checkpoint?.field('done', z.number()) ?? 0;
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
    if (epoch === stopping.after) throw new DOMException('stopped', 'AbortError');
  }
  return new LeftNeighbourParser(seen);
}
