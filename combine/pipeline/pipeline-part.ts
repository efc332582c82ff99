import type { Annotator, ColumnAnnotator, Tokenizer } from '../../annotators/annotator.ts';
import { fillsColumns, isAnnotator, isTokenizer, openAnnotator } from '../../annotators/registry.ts';
import { writeAnnotator } from '../../annotators/saved-annotator.ts';
import type { TrainedAnnotator } from '../../annotators/train-annotator.ts';
import type { Parser } from '../../parsers/parser.ts';
import { openParser } from '../../parsers/registry.ts';
import { writeParser } from '../../parsers/saved-parser.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { TrainedParser } from '../train-parser.ts';

/** One of the models that a pipeline is made of. */
export interface PipelinePart<Model extends Annotator | Parser = Annotator | Parser> {
  /** What to call it in messages: its file, mostly. */
  readonly name: string;
  readonly model: Model;
  /** Writes it as a model, with all that its header says. */
  write(model: ModelWriter): void;
}

/** An annotator or a parser that has just been trained. */
export function partOf(trained: TrainedAnnotator | TrainedParser): PipelinePart {
  if ('annotator' in trained) {
    const { annotator, about } = trained;
    return {
      name: annotator.task,
      model: annotator,
      write: (model) => writeAnnotator(model, annotator, about),
    };
  }
  const { parser, about } = trained;
  return { name: parser.paradigm, model: parser, write: (model) => writeParser(model, parser, about) };
}

/** The annotator or the parser that a model holds; throws `InputError` where it holds none that is known. */
export async function openPart(model: ModelReader): Promise<PipelinePart> {
  const opened = isAnnotator(model) ? await openAnnotator(model) : await openParser(model);
  const name = model.path.length === 0 ? model.name : `${model.path.join('/')} of ${model.name}`;
  return { name, model: opened, write: (writer) => writer.copy(model) };
}

export function isTokenizerPart(part: PipelinePart): part is PipelinePart<Tokenizer> {
  return 'task' in part.model && isTokenizer(part.model);
}

export function isColumnPart(part: PipelinePart): part is PipelinePart<ColumnAnnotator> {
  return 'task' in part.model && fillsColumns(part.model);
}

export function isParserPart(part: PipelinePart): part is PipelinePart<Parser> {
  return 'paradigm' in part.model;
}
