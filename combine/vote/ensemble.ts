import type { Parse, ParseOptions, Parser } from '../../parsers/parser.ts';
import { checkParsing, jointlyRead, jointlyUnseen } from '../../parsers/parser.ts';
import { copyOf, type ModelCopy, openCopy } from '../../parsers/registry.ts';
import type { SentenceParser } from '../../parsers/run/batch-parser.ts';
import { ColumnCheck, type MissingColumnOptions } from '../../parsers/run/column-check.ts';
import type { ThreadedParser } from '../../parsers/run/parse-batches.ts';
import { checkFields, checkName } from '../../src/checks.ts';
import { UsageError } from '../../src/errors.ts';
import type { VoteParseExplanation } from '../../src/explain/explanation.ts';
import type { ExplainRequest } from '../../src/explain/request.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import { Turns } from '../../src/threads/scheduling.ts';
import type { AnnotatedColumn } from '../../src/treebank/columns/names.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { treebankFrom, withDigest } from '../../src/treebank/treebanks.ts';
import { type WeightingName, weightingNames } from '../names.ts';
import { explainVotedParse } from './analysis/explain-parse.ts';
import { checkMemberCount, type GoldBallot, goldBallot } from './ballots.ts';
import { Vote, type VoteOptions, voteFields } from './vote.ts';
import { calibrateVote, learningOf } from './weights/learn-weighting.ts';
import { weightingOf } from './weights/saved-weighting.ts';
import type { Weighting, WeightingData } from './weights/weighting.ts';
import { checkWeighting, equalWeighting, paradigmWeighting } from './weights/weighting.ts';

/** A parser that votes; without learned weights, its paradigm determines the weight of its vote. */
export type EnsembleMember = SentenceParser & Partial<Pick<Parser, 'paradigm'>>;

/** Several parsers as one: each parses the sentence, then they vote. */
export class Ensemble implements SentenceParser {
  readonly reads: readonly AnnotatedColumn[];
  readonly filled: Readonly<Partial<Record<AnnotatedColumn, number>>>;

  constructor(
    private readonly members: readonly EnsembleMember[],
    readonly vote: Vote,
  ) {
    vote.checkMembers(members.length);
    ({ reads: this.reads, filled: this.filled } = jointlyRead(members));
  }

  parse(sentence: Sentence, options?: ParseOptions): Parse {
    return this.parseAll([sentence], options)[0];
  }

  parseAll(sentences: readonly Sentence[], options: ParseOptions = {}): Parse[] {
    checkParsing(options);
    const all = this.members.map((member, m) => member.parseAll(sentences, this.vote.parsing(m)));
    return sentences.map((sentence, i) => {
      const trees = all.map((parses) => parses[i]);
      const { tree, confidences, ties } = this.vote.decide({ sentence, trees });
      const remarks = { notices: noticesOf(trees), ties, unseen: jointlyUnseen(trees) };
      return { ...tree, confidences: options.confidence ? confidences : undefined, ...remarks };
    });
  }

  explain(sentence: Sentence, request: ExplainRequest = {}): VoteParseExplanation {
    const trees = this.members.map((member, m) => member.parse(sentence, this.vote.parsing(m)));
    const names = this.members.map(({ paradigm = 'parser' }) => paradigm);
    return explainVotedParse(this.vote, { sentence, trees }, names, noticesOf(trees), request);
  }
}

/** The notices of several parses of a sentence, each once. */
export const noticesOf = (trees: readonly Parse[]) => [...new Set(trees.flatMap((tree) => tree.notices))];

/** An ensemble in a form that can be sent to other threads. */
export interface EnsembleCopy {
  readonly models: readonly ModelCopy[];
  readonly weighting: WeightingData;
  readonly vote: VoteOptions;
}

/** An ensemble of models, open or in files, for any number of threads (see `parseFile`). */
export function ensembleOf(
  models: readonly (ModelReader | string)[],
  weighting: Weighting,
  vote: VoteOptions = {},
): ThreadedParser {
  checkWeighting(weighting);
  checkFields('ensembleOf', vote, voteFields);
  const data: EnsembleCopy = { models: models.map(copyOf), weighting: weighting.data, vote };
  const file = new URL('./ensemble-worker.js', import.meta.url);
  return {
    load: () => loadEnsemble(data),
    worker: { file, data },
    files: data.models.map(({ name }) => name),
  };
}

export async function loadEnsemble({ models, weighting, vote }: EnsembleCopy): Promise<Ensemble> {
  const members = await Promise.all(models.map(openCopy));
  return new Ensemble(members, new Vote(weightingOf(weighting), vote));
}

export interface EnsembleOptions extends VoteOptions, MissingColumnOptions {
  /** Gold trees, or their file, that no member was trained on: to learn weights from. */
  readonly dev?: Treebank | string | undefined;
  /**
   * Weighting of the votes. Default: `learnt` with a `dev` of 500 sentences or more; by paradigm without `dev`, or if a
   * network is the most accurate member on a smaller `dev`; otherwise `las` (`uas` without labels).
   */
  readonly weighting?: WeightingName | undefined;
}

/** The fields of `EnsembleOptions`, to refuse misspelt ones. */
export const ensembleFields = [
  ...voteFields,
  ...(['dev', 'weighting', 'allowMissing', 'onWarning'] as const),
] as const satisfies readonly (keyof EnsembleOptions)[];

/**
 * Makes an ensemble: each member parses the sentence, then they vote, weighed by their accuracy on `dev`.
 *
 * @throws UsageError for no members or too many, and for learned weights without `dev`
 * @throws OptionError if the sentences lack columns that a member reads, unless that is allowed
 * @throws InputError for sentences that cannot be read
 */
export async function makeEnsemble(
  members: readonly EnsembleMember[],
  { dev, weighting, allowMissing, onWarning, ...vote }: EnsembleOptions = {},
): Promise<Ensemble> {
  checkFields('makeEnsemble', vote, ensembleFields);
  checkName('weighting', weighting, weightingNames);
  checkMemberCount(members.length);
  if (members.some((member) => typeof member?.parseAll !== 'function'))
    throw new UsageError('a member is no parser: loadParser opens one from its file');
  const paradigms = members.map(({ paradigm }) => paradigm);
  if (dev === undefined) {
    if ((weighting ?? 'equal') !== 'equal')
      throw new UsageError(`weighting ${weighting} is learned: it needs dev`);
    const known = weighting === undefined ? paradigmWeighting(paradigms) : equalWeighting(members.length);
    return new Ensemble(members, new Vote(known, vote));
  }
  const gold = withDigest(await treebankFrom(dev));
  const ballots = await parsedBallots(members, gold, { allowMissing, onWarning });
  const learn = learningOf(weighting, ballots, paradigms);
  const calibration = calibrateVote(learn, ballots, vote);
  return new Ensemble(members, new Vote(learn(ballots), { ...vote, calibration }));
}

async function parsedBallots(
  members: readonly SentenceParser[],
  gold: Treebank,
  missing: MissingColumnOptions,
): Promise<GoldBallot[]> {
  const sentences: Sentence[] = [];
  for await (const sentence of gold) sentences.push(sentence);
  const answers: Parse[][] = [];
  for (const member of members) answers.push(await parseWithArcs(member, sentences, gold.name, missing));
  const treesOf = (i: number) => answers.map((parses) => parses[i]);
  return sentences.map((sentence, i) => goldBallot(sentence, treesOf(i)));
}

/**
 * Parses the sentences of a treebank in this thread, with probable arcs.
 *
 * @param onProgress called now and then with the number of sentences parsed
 * @throws OptionError if the sentences lack columns that the parser reads, unless that is allowed
 */
export async function parseWithArcs(
  parser: SentenceParser,
  sentences: readonly Sentence[],
  name: string,
  missing: MissingColumnOptions,
  onProgress?: (done: number) => void,
): Promise<Parse[]> {
  const check = new ColumnCheck(parser);
  const parses: Parse[] = [];
  const parse = (sentence: Sentence) => {
    check.add(sentence);
    parses.push(parser.parse(sentence, { arcs: true }));
  };
  await new Turns(undefined).forEach(sentences, parse, onProgress);
  check.settle(name, missing);
  return parses;
}
