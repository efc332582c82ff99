import type { Tokenizer } from '../../annotators/annotator.ts';
import type { KeepName } from '../../combine/names.ts';
import type { PipelineSteps } from '../../combine/pipeline/pipeline.ts';
import { openPipelineCopy } from '../../combine/pipeline/saved-pipeline.ts';
import { explainVotedParse } from '../../combine/vote/analysis/explain-parse.ts';
import { parseWithAll } from '../../combine/vote/compared-sentences.ts';
import { noticesOf } from '../../combine/vote/ensemble.ts';
import { Vote } from '../../combine/vote/vote.ts';
import { paradigmWeighting } from '../../combine/vote/weights/weighting.ts';
import type { Parse, ParseOptions, Parser } from '../../parsers/parser.ts';
import { jointlyRead, withParseAll } from '../../parsers/parser.ts';
import { openCopy } from '../../parsers/registry.ts';
import type { SentenceParser } from '../../parsers/run/batch-parser.ts';
import { UsageError } from '../../src/errors.ts';
import type { ParseExplanation } from '../../src/explain/explanation.ts';
import type { ExplainRequest } from '../../src/explain/request.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { FileModel, ServedModel, VoteModel } from './served-models.ts';

export interface Steps extends PipelineSteps {
  readonly keep?: readonly KeepName[] | undefined;
}

/** A model opened in one thread; all threads share its weights. */
export interface OpenModel {
  /** Whether it, or the first member of a vote, is a pipeline: models after it see the columns that it fills. */
  readonly isPipeline: boolean;
  readonly tokenizer: Tokenizer | undefined;
  /** The paradigm of its parser; undefined without a parser, or with several. */
  readonly paradigm: string | undefined;
  sentenceParser(steps: Steps): SentenceParser;
  explain(sentence: Sentence, request: ExplainRequest, keep: Steps['keep']): ParseExplanation;
}

export async function openModels(models: readonly ServedModel[]): Promise<ReadonlyMap<string, OpenModel>> {
  const open = new Map<string, OpenModel>();
  for (const model of models)
    open.set(model.name, model.kind === 'vote' ? voteOf(model, open) : await openFile(model));
  return open;
}

async function openFile({ kind, copy }: FileModel): Promise<OpenModel> {
  if (kind === 'parser') {
    const parser = await openCopy(copy);
    return {
      isPipeline: false,
      tokenizer: undefined,
      paradigm: parser.paradigm,
      sentenceParser: ({ trees = true }) => (trees ? parser : unchanged),
      explain: (sentence, request) => explained(parser, sentence, request),
    };
  }
  const pipeline = await openPipelineCopy(copy);
  return {
    isPipeline: true,
    tokenizer: pipeline.tokenizer,
    paradigm: pipeline.parsers.length === 1 ? pipeline.parsers[0].model.paradigm : undefined,
    sentenceParser: ({ keep, ...steps }) => pipeline.sentenceParser(keep, steps),
    explain: (sentence, request, keep) => pipeline.explain(sentence, request, keep),
  };
}

function explained(parser: Parser, sentence: Sentence, request: ExplainRequest): ParseExplanation {
  if (parser.explain !== undefined) return parser.explain(sentence, request);
  throw new UsageError(`parsers of the paradigm ${parser.paradigm} cannot explain themselves`);
}

/** Returns the trees that the sentences have already. */
const unchanged: SentenceParser = withParseAll({
  reads: [],
  parse: ({ heads, labels }: Sentence): Parse => ({ heads, labels, notices: [] }),
});

function voteOf({ members }: VoteModel, open: ReadonlyMap<string, OpenModel>): OpenModel {
  const voting = members.map((member) => open.get(member)!);
  const vote = new Vote(paradigmWeighting(voting.map(({ paradigm }) => paradigm)));
  const [{ isPipeline, tokenizer }] = voting;
  const parsersWith = (steps: Steps) => voting.map((member) => member.sentenceParser(steps));
  return {
    isPipeline,
    tokenizer,
    paradigm: undefined,
    sentenceParser: (steps) => {
      const parsers = parsersWith(steps);
      return steps.trees === false ? parsers[0] : votingParser(parsers, isPipeline, vote);
    },
    explain: (sentence, request, keep) => {
      const parsers = parsersWith({ keep });
      const { sentences, parses } = parseWithAll(parsers, isPipeline, [sentence], (m) => vote.parsing(m));
      const trees = parses.map(([parse]) => parse);
      return explainVotedParse(vote, { sentence: sentences[0], trees }, members, noticesOf(trees), request);
    },
  };
}

/** The vote of several parsers; the first one fills the columns if it is a pipeline. */
function votingParser(parsers: readonly SentenceParser[], isTagged: boolean, vote: Vote): SentenceParser {
  const parseAll = (given: readonly Sentence[], { confidence }: ParseOptions = {}): Parse[] => {
    const { sentences, parses } = parseWithAll(parsers, isTagged, given, (m) => ({
      ...vote.parsing(m),
      // The first member fills the columns.
      confidence: confidence && m === 0 && isTagged,
    }));
    return sentences.map((sentence, i) => {
      const trees = parses.map((each) => each[i]);
      const { tree, confidences } = vote.decide({ sentence, trees });
      const { columns, columnConfidences } = isTagged ? trees[0] : ({} as Partial<Parse>);
      const filled = { columns, columnConfidences, notices: noticesOf(trees) };
      return { ...tree, confidences: confidence ? confidences : undefined, ...filled };
    });
  };
  const { reads, filled } = jointlyRead(parsers);
  return {
    reads: isTagged ? reads.filter((column) => !parsers[0].writes!.includes(column)) : reads,
    filled,
    parse: (sentence, options) => parseAll([sentence], options)[0],
    parseAll,
  };
}
