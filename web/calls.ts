import { isPipeline } from '../annotators/registry.ts';
import { completed, Pipeline, type PipelineSteps } from '../combine/pipeline/pipeline.ts';
import { openPipeline } from '../combine/pipeline/saved-pipeline.ts';
import type { TrainParserOptions } from '../combine/train-parser.ts';
import { checkMemberCount } from '../combine/vote/ballots.ts';
import { Vote } from '../combine/vote/vote.ts';
import { equalWeighting, givenWeighting } from '../combine/vote/weights/weighting.ts';
import type { ParseOptions, Parser } from '../parsers/parser.ts';
import { openParser, type ParadigmName, writeParser } from '../parsers/registry.ts';
import type { SentenceParser } from '../parsers/run/batch-parser.ts';
import { missingColumns, reportParses } from '../parsers/run/column-check.ts';
import { checkFields } from '../src/checks.ts';
import { InputError, UsageError } from '../src/errors.ts';
import type { Comparison } from '../src/evaluate/comparison/comparison.ts';
import type { EvaluateOptions, EvaluationReport } from '../src/evaluate/evaluate.ts';
import { checkTokens } from '../src/evaluate/lock-step.ts';
import type { ParseExplanation } from '../src/explain/explanation.ts';
import type { ExplainRequest } from '../src/explain/request.ts';
import { ModelReader } from '../src/model/model-reader.ts';
import { ModelWriter } from '../src/model/model-writer.ts';
import { sha256 } from '../src/platform/platform.ts';
import { sentError } from '../src/sent-error.ts';
import type { AboutModel } from '../src/training/about-model.ts';
import type { Expectation } from '../src/treebank/reading/format.ts';
import { readSentences } from '../src/treebank/reading/treebank-file.ts';
import type { Sentence, Treebank } from '../src/treebank/sentence.ts';
import { inMemory } from '../src/treebank/treebanks.ts';
import { checkDigest, fetchModel } from './models.ts';
import type {
  Answer,
  GivenTreebank,
  Request,
  VoteOfTreesOptions,
  WebCompareOptions,
  WebTrainOptions,
} from './protocol.ts';

/** The events that a call can send to the page while it runs. */
export interface CallEvents {
  onProgress(progress: unknown): void;
  onNotice(notice: string): void;
  onWarning(warning: string): void;
}

interface LoadedModel {
  readonly model: ModelReader;
  readonly opened: Pipeline | Parser;
}

let loaded: LoadedModel | undefined;

/** Returns the model of this worker; throws `UsageError` if none is loaded. */
export function loadedModel(): LoadedModel {
  if (loaded === undefined) throw new UsageError('no model is loaded');
  return loaded;
}

/** The model as a parser of sentences; `steps`: which steps of a pipeline to run. */
export const sentenceParserOf = (opened: LoadedModel['opened'], steps?: PipelineSteps): SentenceParser =>
  opened instanceof Pipeline ? opened.sentenceParser([], steps) : opened;

/** The calls that a page can make to its worker; arguments and results are plain data. */
export const calls = {
  /** Opens a model, by its address or bytes; returns its header. */
  async load(
    source: string | ArrayBuffer,
    name: string,
    digest: string | undefined,
    events: CallEvents,
  ): Promise<ModelReader['header']> {
    if (typeof source !== 'string') {
      if (digest !== undefined) checkDigest(new Uint8Array(source), digest, name);
      return open(source, name);
    }
    const { bytes, keep, forget } = await fetchModel(source, digest, events.onProgress);
    try {
      const header = await open(bytes, name);
      await keep?.(loadedModel().model.buffer as unknown as ArrayBuffer);
      return header;
    } catch (error) {
      if (forget === undefined || !(error instanceof InputError)) throw error;
      await forget();
      return calls.load(source, name, digest, events);
    }
  },

  parse(
    input: string | readonly Sentence[],
    options: ParseOptions | undefined,
    { onNotice, onWarning }: CallEvents,
  ): Sentence[] {
    const callbacks = { onNotice, onWarning };
    const { opened } = loadedModel();
    if (typeof input !== 'string' && !Array.isArray(input))
      throw new UsageError('model.parse: expected text or sentences');
    if (typeof input !== 'string') {
      const parser = sentenceParserOf(opened);
      const parses = parser.parseAll(input, options);
      reportParses(parser, input, parses, callbacks);
      return parses.map((parse, i) => completed(input[i], parse));
    }
    if (opened instanceof Pipeline) return opened.parse(input, 'text', { ...options, ...callbacks });
    throw new UsageError('the model is a parser, which reads sentences: expected a pipeline for text');
  },

  explain(sentence: Sentence, request: ExplainRequest | undefined): ParseExplanation {
    const { opened } = loadedModel();
    const explanation = opened.explain?.(sentence, request);
    if (explanation === undefined) throw new UsageError('this parser cannot explain itself');
    const missing = missingColumns(sentenceParserOf(opened), [sentence]);
    return { ...explanation, notices: [...missing, ...explanation.notices] };
  },

  bytes(): ArrayBuffer {
    return loadedModel().model.buffer as unknown as ArrayBuffer;
  },

  /** Trains a parser, which becomes the worker's model; returns its header. */
  async train(
    paradigm: ParadigmName,
    treebank: GivenTreebank,
    given: WebTrainOptions,
    events: CallEvents,
  ): Promise<ModelReader['header']> {
    checkFields('trainParser', given, ['options', 'dev', 'seed']);
    const { dev, options, seed } = given;
    const { trainParser } = await import('../combine/train-parser.ts');
    const heldOut = dev === undefined ? undefined : treebankOf(dev, 'trees');
    const run = { ...events, seed, options, dev: heldOut } as TrainParserOptions<never>;
    const { parser, about } = await trainParser(paradigm, treebankOf(treebank, 'trees'), run);
    const writer = new ModelWriter();
    writeParser(writer, parser, about as AboutModel);
    const bytes = await new Blob([...writer.chunks()] as Uint8Array<ArrayBuffer>[]).arrayBuffer();
    return open(bytes, `${paradigm}.model`);
  },

  /** One tree per sentence from the trees of several parsers. */
  vote(outputs: readonly (readonly Sentence[])[], given: VoteOfTreesOptions): Sentence[] {
    checkFields('vote', given, ['weights', 'method', 'singleRoot', 'confidence']);
    const { weights, confidence, ...options } = given;
    checkMemberCount(outputs.length);
    const weighting = weights === undefined ? equalWeighting(outputs.length) : givenWeighting(weights);
    const vote = new Vote(weighting, options);
    const [first, ...others] = outputs;
    if (others.some(({ length }) => length !== first.length))
      throw new UsageError('the parsers have different numbers of sentences');
    return first.map((sentence, i) => {
      for (const other of others) checkTokens({ gold: sentence, predicted: other[i], number: i + 1 });
      const trees = outputs.map((sentences) => sentences[i]);
      const { tree, confidences } = vote.decide({ sentence, trees });
      return completed(sentence, { ...tree, notices: [], confidences: confidence ? confidences : undefined });
    });
  },

  async evaluate(
    gold: GivenTreebank,
    predicted: GivenTreebank,
    options: EvaluateOptions,
  ): Promise<EvaluationReport> {
    const { evaluate } = await import('../src/evaluate/evaluate.ts');
    return evaluate(treebankOf(gold, 'trees'), treebankOf(predicted, 'heads'), options);
  },

  async compare(
    gold: GivenTreebank,
    outputs: readonly GivenTreebank[],
    options: WebCompareOptions,
    { onProgress }: CallEvents,
  ): Promise<Comparison> {
    const { compare } = await import('../src/evaluate/comparison/compare.ts');
    const treebanks = outputs.map((output) => treebankOf(output, 'heads'));
    const onSentence = (sentences: number) => onProgress({ sentences });
    const { comparison } = await compare(treebankOf(gold, 'trees'), treebanks, { ...options, onSentence });
    return comparison;
  },
};

async function open(bytes: ArrayBuffer, name: string): Promise<ModelReader['header']> {
  // Pages have shared memory only with special headers; the bundle replaces `SharedArrayBuffer` by `ArrayBuffer`.
  const model = ModelReader.fromBuffer(bytes as unknown as SharedArrayBuffer, name).verify();
  loaded = { model, opened: await (isPipeline(model) ? openPipeline(model) : openParser(model)) };
  return model.header;
}

function treebankOf(given: GivenTreebank, expect: Expectation): Treebank {
  if (typeof given === 'string') return treebankOf({ name: 'text', text: given }, expect);
  if ('text' in given) {
    const { name, text } = given;
    const digest = sha256().update(text).digest('hex');
    return { ...inMemory(readSentences(text, { name, expect }), name), digest };
  }
  return inMemory(given, 'sentences');
}

/** The part of a worker's global scope that is used here: Node's types lack it. */
declare const self: {
  onmessage: (event: { readonly data: Request }) => void;
  postMessage(answer: Answer): void;
};

/** Answers the calls of a page, one at a time; each call gets the events that it can send as its last argument. */
export function answerCalls(calls: object): void {
  const send = (event: 'progress' | 'notice' | 'warning') => (value: unknown) =>
    self.postMessage({ event, value });
  const events: CallEvents = {
    onProgress: send('progress'),
    onNotice: send('notice'),
    onWarning: send('warning'),
  };
  self.onmessage = async ({ data: { name, args } }) => {
    try {
      const call = (calls as Record<string, (...args: unknown[]) => unknown>)[name];
      self.postMessage({ result: await call(...args, events) });
    } catch (error) {
      self.postMessage({ error: sentError(error) });
    }
  };
}
