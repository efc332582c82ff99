import type { Tokenizer } from '../../annotators/annotator.ts';
import type { PipelineSteps } from '../../combine/pipeline/pipeline.ts';
import { openPipelineCopy } from '../../combine/pipeline/run/threaded-pipeline.ts';
import type { KeepName } from '../../combine/pipeline/sentence-annotation.ts';
import type { Parser } from '../../parsers/parser.ts';
import type { SentenceParser } from '../../parsers/run/batch-parser.ts';
import { openCopy } from '../../parsers/run/model-copy.ts';
import { UsageError } from '../../src/errors.ts';
import type { ParseExplanation } from '../../src/explain/explanation.ts';
import type { ExplainRequest } from '../../src/explain/request.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { FileModel, ServedModel, VoteModel } from '../models/served-model.ts';
import { VotingParser } from './voting-parser.ts';

/** What is to be done with sentences that are cut into words. */
export interface Steps extends PipelineSteps {
  /** Of the annotation that sentences have, what stays. */
  readonly keep?: readonly KeepName[] | undefined;
}

/** A model in one thread, over the weights that all threads share. */
export interface OpenModel {
  readonly tokenizer: Tokenizer | undefined;
  sentenceParser(steps: Steps): SentenceParser;
  /**
   * How it comes to the tree of a sentence.
   *
   * @throws UsageError for what cannot be explained
   */
  explain(sentence: Sentence, request: ExplainRequest, keep: Steps['keep']): ParseExplanation;
}

/** Opens models, votes after their members. */
export async function openModels(models: readonly ServedModel[]): Promise<ReadonlyMap<string, OpenModel>> {
  const open = new Map<string, OpenModel>();
  for (const model of models) {
    open.set(model.name, model.kind === 'vote' ? voteOf(model, open) : await openFile(model));
  }
  return open;
}

async function openFile({ kind, copy }: FileModel): Promise<OpenModel> {
  if (kind === 'parser') {
    const parser = await openCopy(copy);
    return {
      tokenizer: undefined,
      sentenceParser: ({ trees = true }) => (trees ? parser : asItIs),
      explain: (sentence, request) => explained(parser, sentence, request),
    };
  }
  const pipeline = await openPipelineCopy({ ...copy, keep: [] });
  return {
    tokenizer: pipeline.tokenizer,
    sentenceParser: ({ keep, ...steps }) => pipeline.sentenceParser(keep, steps),
    explain: (sentence, request, keep) => pipeline.explain(sentence, request, keep),
  };
}

function explained(parser: Parser, sentence: Sentence, request: ExplainRequest): ParseExplanation {
  if (parser.explain !== undefined) return parser.explain(sentence, request);
  throw new UsageError(`parsers of the paradigm ${parser.paradigm} cannot explain themselves`);
}

/** Finds nothing that is not there. */
const asItIs: SentenceParser = {
  reads: [],
  parse: ({ heads, labels }) => ({ heads, labels, notices: [] }),
};

function voteOf({ members }: VoteModel, open: ReadonlyMap<string, OpenModel>): OpenModel {
  const voting = members.map((member) => open.get(member)!);
  return {
    tokenizer: voting[0].tokenizer,
    sentenceParser: (steps) => {
      const parsers = voting.map((member) => member.sentenceParser(steps));
      return steps.trees === false ? parsers[0] : new VotingParser(parsers);
    },
    explain: (sentence, request, keep) => {
      const parsers = voting.map((member) => member.sentenceParser({ keep }));
      return new VotingParser(parsers).explain(sentence, request, members);
    },
  };
}
