import { z } from 'zod';
import type { SentenceParser } from '../../parsers/batch-parser.ts';
import type { ThreadedParser } from '../../parsers/parse-batches.ts';
import type { ModelCopy } from '../../parsers/parse-worker.ts';
import type { ReadColumn } from '../../parsers/parser.ts';
import { loadParser } from '../../parsers/registry.ts';
import { InputError } from '../../src/errors.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { FirstSentences } from '../../src/treebank/first-sentences.ts';
import type { DependencyTree, Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { openTreebank } from '../../src/treebank/treebank-file.ts';
import type { GoldBallot } from './ballots.ts';
import { Vote, type VoteOptions } from './vote.ts';
import type { FileOptions, GoldFile } from './vote-files.ts';
import type { Weighting, WeightingData } from './weighting.ts';
import { weightingOf } from './weighting-data.ts';

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

/**
 * What the models' parsers say of sentences whose trees are known.
 *
 * @throws InputError where a model was trained on these sentences, or the first of them
 */
export async function parseGoldBallots(
  gold: string,
  models: readonly ModelReader[],
  options: FileOptions = {},
): Promise<GoldFile> {
  const treebank = await openTreebank(gold, { ...options, expect: 'trees' });
  for (const model of models) await checkNotTrainedOn(model, treebank);
  const members = models.map(loadParser);
  const ballots: GoldBallot[] = [];
  for await (const sentence of treebank) {
    ballots.push({ gold: sentence, sentence, trees: members.map((member) => member.parse(sentence)) });
  }
  return { name: gold, digest: treebank.digest, ballots };
}

/** What a model's header says of the data that it was trained on. */
const trainedSchema = z.object({ digest: z.string(), limit: z.number().optional() });

async function checkNotTrainedOn({ name, header }: ModelReader, treebank: Treebank): Promise<void> {
  const { data: trained } = trainedSchema.safeParse(header.train);
  if (trained === undefined) return;
  const same = trained.limit === undefined ? treebank : new FirstSentences(treebank, trained.limit);
  if (same.digest === undefined) for await (const _ of same);
  if (same.digest !== trained.digest) return;
  const problem = `was trained on ${treebank.name}: weights have to come from other sentences`;
  throw new InputError(problem, { file: name });
}
