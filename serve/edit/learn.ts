import { annotated } from '../../annotators/jackknife/fold.ts';
import { isPipeline } from '../../annotators/registry.ts';
import { Pipeline } from '../../combine/pipeline/pipeline.ts';
import { partOf } from '../../combine/pipeline/pipeline-part.ts';
import { openPipeline, savePipeline } from '../../combine/pipeline/saved-pipeline.ts';
import { type TrainedParser, trainParser } from '../../combine/train-parser.ts';
import type { Parser } from '../../parsers/parser.ts';
import { type ModelCopy, openParser, saveParser } from '../../parsers/registry.ts';
import { InputError } from '../../src/errors.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter, modelBytes } from '../../src/model/model-writer.ts';
import { plural } from '../../src/report/tables/table.ts';
import type { TaskContext } from '../../src/threads/worker-pool.ts';
import { scoreHeldOut } from '../../src/training/held-out.ts';
import { type EpochScores, shareDone } from '../../src/training/training-run.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { inMemory } from '../../src/treebank/treebanks.ts';

/** A task to train a model further: plain data, which can be sent to a thread. */
export interface LearnTask {
  readonly model: ModelCopy;
  /** Name and text of the treebank's file. */
  readonly file: string;
  readonly text: string;
  /** Path of the new model. */
  readonly output: string;
}

/** Scores on the held-out sentences before and after the training. */
export interface LearningResult {
  readonly before: EpochScores;
  readonly after: EpochScores;
  readonly sentences: number;
  readonly heldOut: number;
}

/** One of this many sentences is held out. */
const HELD_OUT = 5;
/** Number of examples to learn from, all epochs together: fewer sentences get more epochs, within limits. */
const PASSES = 6000;
const MOST_EPOCHS = 150;
/** With fewer epochs than this, the paradigm's default is used. */
const FEWEST = 50;

/**
 * Trains a network further with corrected trees, and writes the new model. A pipeline keeps its annotators; its parser
 * is trained on the columns that they predict.
 *
 * @throws InputError for a model that cannot be trained further, and for invalid trees
 */
export async function run({ model, file, text, output }: LearnTask, { signal, onShare }: TaskContext) {
  const sentences = readSentences(text, { format: 'conllu', expect: 'trees', name: file });
  const isHeldOut = (_: Sentence, i: number) => i % HELD_OUT === HELD_OUT - 1;
  const heldOut = sentences.filter(isHeldOut);
  const few = `${plural(sentences.length, 'sentence')}, expected at least ${HELD_OUT}: one is held out`;
  if (heldOut.length === 0) throw new InputError(few, { file });
  const learner = await openLearner(ModelReader.fromBuffer(model.buffer, model.name));
  const [train, dev] = [sentences.filter((each, i) => !isHeldOut(each, i)), heldOut].map((part) =>
    learner.read(inMemory(part, file)),
  );
  const score = (parser: Parser) => scoreHeldOut(dev, (sentence) => parser.parse(sentence), signal);
  const before = await score(learner.parser);
  const epochs = Math.min(MOST_EPOCHS, Math.round(PASSES / (sentences.length - heldOut.length)));
  const trained = await trainParser('network', train, {
    options: epochs < FEWEST ? {} : { epochs },
    from: { model: learner.model },
    signal,
    onProgress: (progress) => onShare(shareDone(progress)),
  });
  trained.parser.calibration = learner.parser.calibration;
  learner.save(output, trained);
  return { before, after: await score(trained.parser), sentences: sentences.length, heldOut: heldOut.length };
}

interface Learner {
  readonly parser: Parser;
  readonly model: ModelReader;
  read(treebank: Treebank): Treebank;
  save(path: string, trained: TrainedParser): void;
}

async function openLearner(model: ModelReader): Promise<Learner> {
  if (!isPipeline(model)) {
    const save = (path: string, { parser, about }: TrainedParser) => saveParser(path, parser, about);
    return { parser: await openNetwork(model), model, read: (treebank) => treebank, save };
  }
  const { parts, parsers, annotators } = await openPipeline(model);
  const [part, ...others] = parsers;
  if (part === undefined || others.length > 0)
    throw new InputError(
      `has ${plural(parsers.length, 'parser')}: only a pipeline with exactly one can be trained further`,
      { file: model.name },
    );
  const writer = new ModelWriter();
  part.write(writer);
  const own = ModelReader.fromBuffer(modelBytes(writer), model.name);
  return {
    parser: await openNetwork(own),
    model: own,
    read: (treebank) => annotated(treebank, annotators),
    save: (path, trained) =>
      savePipeline(path, new Pipeline([...parts.filter((each) => each !== part), partOf(trained)])),
  };
}

async function openNetwork(model: ModelReader): Promise<Parser> {
  const parser = await openParser(model);
  if (parser.paradigm === 'network') return parser;
  throw new InputError(
    `a parser of the paradigm ${parser.paradigm}, expected network: only networks can be trained further`,
    { file: model.name },
  );
}
