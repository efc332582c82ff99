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
import { explainVote } from './analysis/explain-parse.ts';
import { Vote, type VoteOptions } from './vote.ts';
import { weightingOf } from './weights/saved-weighting.ts';
import type { Weighting, WeightingData } from './weights/weighting.ts';

/** A parser made of several: each parses the sentence, then they vote. */
export class Ensemble implements SentenceParser {
  readonly reads: readonly AnnotatedColumn[];
  readonly filled: Readonly<Partial<Record<AnnotatedColumn, number>>>;
  private readonly members: readonly SentenceParser[];
  /** Its `weighting` and the votes on the sentence parsed last. */
  readonly vote: Vote;

  constructor(members: readonly SentenceParser[], vote: Vote) {
    this.members = members;
    this.vote = vote;
    ({ reads: this.reads, filled: this.filled } = jointlyRead(members));
  }

  parse(sentence: Sentence, options?: ParseOptions): Parse {
    return this.voted(
      sentence,
      this.members.map((member) => member.parse(sentence)),
      options,
    );
  }

  parseAll(sentences: readonly Sentence[], options?: ParseOptions): Parse[] {
    const all = this.members.map((member) => sentences.map((sentence) => member.parse(sentence)));
    return sentences.map((sentence, i) =>
      this.voted(
        sentence,
        all.map((trees) => trees[i]),
        options,
      ),
    );
  }

  /** Who votes for what, and what comes of it. */
  explain(sentence: Sentence, request: ExplainRequest = {}): VoteParseExplanation {
    return explainVote(this.vote, this.members.map(paradigmOf), sentence, this.parse(sentence), request);
  }

  private voted(sentence: Sentence, trees: readonly Parse[], { confidence }: ParseOptions = {}): Parse {
    const notices = [...new Set(trees.flatMap((tree) => tree.notices))];
    const tree = this.vote.decide({ sentence, trees });
    return {
      ...tree,
      confidences: confidence ? this.vote.confidences() : undefined,
      notices,
      ties: this.vote.ties,
      unseen: jointlyUnseen(trees),
    };
  }
}

function paradigmOf(member: SentenceParser & Partial<Pick<Parser, 'paradigm'>>): string {
  return member.paradigm ?? 'parser';
}

/** What a worker thread makes an ensemble of. */
export interface EnsembleCopy {
  readonly models: readonly ModelCopy[];
  readonly weighting: WeightingData;
  readonly vote: VoteOptions;
}

/** The parsers of models, open already or in files, as one, for any number of threads (see `parseFile`). */
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
