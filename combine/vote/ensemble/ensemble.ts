import type { ReadColumn } from '../../../parsers/parser.ts';
import { loadParser } from '../../../parsers/registry.ts';
import type { SentenceParser } from '../../../parsers/run/batch-parser.ts';
import type { ThreadedParser } from '../../../parsers/run/parse-batches.ts';
import type { ModelCopy } from '../../../parsers/run/parse-worker.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import type { DependencyTree, Sentence } from '../../../src/treebank/sentence.ts';
import { Vote, type VoteOptions } from '../vote.ts';
import type { Weighting, WeightingData } from '../weights/weighting.ts';
import { weightingOf } from '../weights/weighting-data.ts';

/** A parser made of several: each parses the sentence, then they vote. */
export class Ensemble implements SentenceParser {
  readonly reads: readonly ReadColumn[];
  private readonly members: readonly SentenceParser[];
  private readonly vote: Vote;

  constructor(members: readonly SentenceParser[], vote: Vote) {
    this.members = members;
    this.vote = vote;
    this.reads = [...new Set(members.flatMap(({ reads }) => reads))];
  }

  parse(sentence: Sentence): DependencyTree {
    const trees = this.members.map((member) => member.parse(sentence));
    const notices = new Set(trees.flatMap(({ notice }) => notice ?? []));
    const tree = this.vote.decide({ sentence, trees });
    return notices.size === 0 ? tree : { ...tree, notice: [...notices].join('; ') };
  }
}

/** What a worker thread makes an ensemble of. */
export interface EnsembleCopy {
  readonly models: readonly ModelCopy[];
  readonly weighting: WeightingData;
  readonly vote: VoteOptions;
}

/** The models' parsers as one, for any number of threads. */
export function ensembleOf(
  models: readonly ModelReader[],
  weighting: Weighting,
  { method, singleRoot }: VoteOptions,
): ThreadedParser {
  const vote = { method, singleRoot };
  const copies = models.map(({ buffer, name }) => ({ buffer, name }));
  const data: EnsembleCopy = { models: copies, weighting: weighting.data, vote };
  return {
    load: () => loadEnsemble(data),
    worker: { file: new URL('./ensemble-worker.js', import.meta.url), data },
  };
}

export function loadEnsemble({ models, weighting, vote }: EnsembleCopy): Ensemble {
  const members = models.map(({ buffer, name }) => loadParser(ModelReader.fromBuffer(buffer, name)));
  return new Ensemble(members, new Vote(weightingOf(weighting), vote));
}
