/**
 * Parsing, voting, explaining, scoring and training in a browser. Each model has a worker of its own, so that the page
 * stays responsive. See docs/web.md for examples.
 */

import type { ParseOptions } from '../parsers/parser.ts';
import type { ParadigmName, ParadigmOptions } from '../parsers/registry.ts';
import type { ParseCallbacks } from '../parsers/run/column-check.ts';
import { checkFields } from '../src/checks.ts';
import type { Comparison } from '../src/evaluate/comparison/comparison.ts';
import type { EvaluateOptions, EvaluationReport } from '../src/evaluate/evaluate.ts';
import type { ParseExplanation } from '../src/explain/explanation.ts';
import type { ExplainRequest } from '../src/explain/request.ts';
import type { EpochScores, TrainingProgress } from '../src/training/training-run.ts';
import type { Sentence } from '../src/treebank/sentence.ts';
import type {
  GivenTreebank,
  LoadProgress,
  ModelSource,
  VoteOfTreesOptions,
  WebCompareOptions,
  WebTrainOptions,
} from './protocol.ts';
import { Remote, type RunOptions } from './remote.ts';

export { InputError, UsageError } from '../src/errors.ts';
export { treeToSvg as drawTree } from '../src/report/trees/tree-svg.ts';
export { formatSentence } from '../src/treebank/columns/write.ts';
export { type ReadSentencesOptions, readSentences } from '../src/treebank/reading/treebank-file.ts';
export { sentenceOf, type Token } from '../src/treebank/sentence.ts';
export type {
  Comparison,
  EvaluateOptions,
  EvaluationReport,
  ExplainRequest,
  GivenTreebank,
  LoadProgress,
  ModelSource,
  ParadigmName,
  ParseCallbacks,
  ParseExplanation,
  ParseOptions,
  RunOptions,
  Sentence,
  TrainingProgress,
  VoteOfTreesOptions,
  WebCompareOptions,
  WebTrainOptions,
};

export interface LoadOptions extends RunOptions<LoadProgress> {
  /** SHA-256 of the model (hexadecimal). With it, the model is verified and, if it has an address, kept in the browser's cache. */
  readonly digest?: string | undefined;
}

type Stoppable = Pick<RunOptions<never>, 'signal'>;
/** Bytes of which a `Blob` can be made; from TypeScript 5.7 on `Uint8Array<ArrayBuffer>`. */
type OwnBytes = ReturnType<Uint8Array['slice']>;

/** A pipeline or a parser in a worker; `close` ends it. */
export class Model {
  /** @param header the header of the model file: how it was trained, and its scores */
  constructor(
    private readonly remote: Remote,
    readonly header: Readonly<Record<string, unknown>>,
  ) {}

  /**
   * Parses a text (with a pipeline that has a tokenizer) or sentences; `formatSentence` writes the result as CoNLL-U.
   *
   * @param options `confidence` writes the confidence of each arc into MISC; `onNotice` is called for sentences not parsed as
   *   usual, `onWarning` for missing columns and unseen tags
   */
  parse(
    input: string | readonly Sentence[],
    { signal, onNotice, onWarning, ...options }: ParseOptions & ParseCallbacks & Stoppable = {},
  ): Promise<Sentence[]> {
    return this.remote.call('parse', [input, options], { signal, onNotice, onWarning });
  }

  /** Explains how the model parses a sentence. */
  explain(
    sentence: Sentence,
    { signal, ...request }: ExplainRequest & Stoppable = {},
  ): Promise<ParseExplanation> {
    return this.remote.call('explain', [sentence, request], { signal });
  }

  /** Returns the model file, with the bytes that the command line writes; a compact one is unpacked. */
  async bytes(): Promise<OwnBytes> {
    return new Uint8Array(await this.remote.call<ArrayBuffer>('bytes', []));
  }

  /** Ends the worker; calls that are not done are rejected. */
  close(): void {
    this.remote.end(new Error('the model is closed'));
  }
}

/**
 * Opens a pipeline or a parser in a worker.
 *
 * @throws InputError if it cannot be fetched, is damaged, of a newer version, or has another digest
 * @throws UsageError for a misspelt option
 */
export async function loadPipeline(source: ModelSource, options: LoadOptions = {}): Promise<Model> {
  checkFields<keyof LoadOptions>('loadPipeline', options, [
    'digest',
    'signal',
    'onProgress',
    'onNotice',
    'onWarning',
  ]);
  const { digest, ...run } = options;
  const isAddress = typeof source === 'string' || source instanceof URL;
  const page = globalThis as unknown as { readonly location: { readonly href: string } };
  // Copied into a buffer that can be sent to a worker.
  const from = isAddress ? new URL(source, page.location.href).href : new Uint8Array(source).slice().buffer;
  return opened('load', [from, isAddress ? from : 'model', digest], run);
}

/** Trains a parser in a worker. The same data, options and seed give the same model as in Node, byte for byte. */
export async function trainParser<Name extends ParadigmName>(
  paradigm: Name,
  treebank: GivenTreebank,
  {
    signal,
    onProgress,
    onNotice,
    onWarning,
    ...options
  }: WebTrainOptions<ParadigmOptions[Name]> & RunOptions<TrainingProgress<EpochScores>> = {},
): Promise<Model> {
  return opened('train', [paradigm, treebank, options], { signal, onProgress, onNotice, onWarning });
}

/** Combines the trees of several parsers into one tree per sentence. */
export function vote(
  outputs: readonly (readonly Sentence[])[],
  { signal, ...options }: VoteOfTreesOptions & Stoppable = {},
): Promise<Sentence[]> {
  return once('vote', [outputs, options], { signal });
}

/** Scores trees against gold trees. */
export function evaluate(
  gold: GivenTreebank,
  predicted: GivenTreebank,
  { signal, ...options }: EvaluateOptions & Stoppable = {},
): Promise<EvaluationReport> {
  return once('evaluate', [gold, predicted, options], { signal });
}

/** Compares parsers: scores, significance, errors. */
export function compare(
  gold: GivenTreebank,
  outputs: readonly GivenTreebank[],
  {
    signal,
    onProgress,
    onNotice,
    onWarning,
    ...options
  }: WebCompareOptions & RunOptions<{ readonly sentences: number }> = {},
): Promise<Comparison> {
  return once('compare', [gold, outputs, options], { signal, onProgress, onNotice, onWarning });
}

async function opened<Progress>(name: 'load' | 'train', args: readonly unknown[], run: RunOptions<Progress>) {
  const remote = new Remote();
  try {
    return new Model(remote, await remote.call(name, args, run));
  } catch (error) {
    remote.end(error);
    throw error;
  }
}

/** Makes a single call in a worker of its own. */
async function once<Result, Progress>(
  name: 'vote' | 'evaluate' | 'compare',
  args: readonly unknown[],
  run: RunOptions<Progress>,
): Promise<Result> {
  const remote = new Remote();
  try {
    return await remote.call(name, args, run);
  } finally {
    remote.end(new Error('the call is over'));
  }
}
