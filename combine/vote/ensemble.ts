import {
  jointlyRead,
  jointlyUnseen,
  type Parse,
  type ParseOptions,
  type Parser,
} from '../../parsers/parser.ts';
import type { SentenceParser } from '../../parsers/run/batch-parser.ts';
import type { ThreadedParser } from '../../parsers/run/parse-batches.ts';
import { copyOf, type ModelCopy, openCopy } from '../../parsers/saved-parser.ts';
import type { VoteParseExplanation } from '../../src/explain/explanation.ts';
import type { ExplainRequest } from '../../src/explain/request.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { AnnotatedColumn } from '../../src/treebank/columns/names.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { explainVotedParse } from './analysis/explain-parse.ts';
import { Vote, type VoteOptions } from './vote.ts';
import { weightingOf } from './weights/saved-weighting.ts';
import type { Weighting, WeightingData } from './weights/weighting.ts';

/** Several parsers as one: each parses the sentence, then they vote. */
export class Ensemble implements SentenceParser {
  readonly reads: readonly AnnotatedColumn[];
  readonly filled: Readonly<Partial<Record<AnnotatedColumn, number>>>;

  constructor(
    private readonly members: readonly (SentenceParser & Partial<Pick<Parser, 'paradigm'>>)[],
    readonly vote: Vote,
  ) {
    ({ reads: this.reads, filled: this.filled } = jointlyRead(members));
  }

  parse(sentence: Sentence, options?: ParseOptions): Parse {
    return this.parseAll([sentence], options)[0];
  }

  parseAll(sentences: readonly Sentence[], { confidence }: ParseOptions = {}): Parse[] {
    const all = this.members.map((member) => member.parseAll(sentences));
    return sentences.map((sentence, i) => {
      const trees = all.map((parses) => parses[i]);
      const { tree, confidences, ties } = this.vote.decide({ sentence, trees });
      const told = { notices: noticesOf(trees), ties, unseen: jointlyUnseen(trees) };
      return { ...tree, confidences: confidence ? confidences : undefined, ...told };
    });
  }

  explain(sentence: Sentence, request: ExplainRequest = {}): VoteParseExplanation {
    const trees = this.members.map((member) => member.parse(sentence));
    const names = this.members.map(({ paradigm = 'parser' }) => paradigm);
    return explainVotedParse(this.vote, { sentence, trees }, names, noticesOf(trees), request);
  }
}

function noticesOf(trees: readonly Parse[]): string[] {
  return [...new Set(trees.flatMap((tree) => tree.notices))];
}

export interface EnsembleCopy {
  readonly models: readonly ModelCopy[];
  readonly weighting: WeightingData;
  readonly vote: VoteOptions;
}

/** An ensemble of models, open or in files, for any number of threads (see `parseFile`). */
export function ensembleOf(
  models: readonly (ModelReader | string)[],
  weighting: Weighting,
  { method, singleRoot, calibration }: VoteOptions = {},
): ThreadedParser {
  const vote = { method, singleRoot, calibration };
  const data: EnsembleCopy = { models: models.map(copyOf), weighting: weighting.data, vote };
  return {
    load: () => loadEnsemble(data),
    worker: { file: new URL('./ensemble-worker.js', import.meta.url), data },
  };
}

export async function loadEnsemble({ models, weighting, vote }: EnsembleCopy): Promise<Ensemble> {
  const members = await Promise.all(models.map(openCopy));
  return new Ensemble(members, new Vote(weightingOf(weighting), vote));
}
