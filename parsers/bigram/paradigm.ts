import { encodeTreebank, labelCandidates } from '../../src/encoding/examples.ts';
import { attachmentScores } from '../../src/training/attachment-scores.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { Paradigm, TrainingRun } from '../parser.ts';
import { InterpolatedEstimate } from './arcs/interpolated.ts';
import { ZemanEstimate } from './arcs/zeman.ts';
import { arcKeys, type BigramModel, labelKeys, zemanColumns } from './bigram-model.ts';
import { BigramParser } from './bigram-parser.ts';
import { Labels } from './labels/labels.ts';
import { type BigramOptions, bigramOptions, checkTogether, settle } from './options.ts';
import { columnsRead } from './patterns/patterns.ts';
import { Turns } from './turns.ts';

/** Parsing by counts of pairs of words, in seconds: weak alone, another voice in a vote. */
export const bigram: Paradigm<BigramOptions> = {
  name: 'bigram',
  summary: 'Counts pairs of words and tags, and takes the likeliest tree (Zeman 1998, Collins 1996).',
  options: bigramOptions,
  train,
  load: BigramParser.load,
};

async function train(treebank: Treebank, options: BigramOptions, run: TrainingRun): Promise<BigramParser> {
  checkTogether(options);
  const encoded = await encodeTreebank(treebank, columnsRead, { ...options, stem: 'none' }, run);
  const { examples, encoder, labels, tags, singleRoot } = encoded;
  const candidates = labelCandidates(encoded, examples);
  const model: BigramModel = { settings: settle(options, tags, singleRoot), encoder, labels, candidates };
  const { settings } = model;
  const kind = settings.estimate === 'zeman' ? ZemanEstimate : InterpolatedEstimate;
  const turns = new Turns(run, kind.phases + Labels.phases, examples.length);
  const estimate =
    settings.estimate === 'zeman'
      ? await ZemanEstimate.learn(zemanColumns(model), settings, examples, turns)
      : await InterpolatedEstimate.learn(arcKeys(model), examples, run.seed, turns);
  const named = await Labels.learn(labelKeys(model), candidates, labels.length, examples, run.seed, turns);
  const progress = { epoch: 1, epochs: 1, done: examples.length, total: examples.length };
  run.onProgress?.(progress);
  const parser = new BigramParser(model, estimate, named);
  if (run.dev) {
    const dev = await attachmentScores((sentence) => parser.parse(sentence), run.dev, run.signal);
    run.onProgress?.({ ...progress, dev });
  }
  return parser;
}
