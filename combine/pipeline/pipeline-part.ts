import type { Annotator, ColumnAnnotator, Tokenizer } from '../../annotators/annotator.ts';
import { fillsColumns, isAnnotator, isTokenizer, openAnnotator } from '../../annotators/registry.ts';
import { writeAnnotator } from '../../annotators/saved-annotator.ts';
import type { TrainedAnnotator } from '../../annotators/train-annotator.ts';
import type { Parser } from '../../parsers/parser.ts';
import { openParser, writeParser } from '../../parsers/registry.ts';
import { UsageError } from '../../src/errors.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { TrainedParser } from '../train-parser.ts';
import { checkMemberCount } from '../vote/ballots.ts';

/** A tokenizer, annotator or parser in a pipeline. */
export interface PipelinePart<Model extends Annotator | Parser = Annotator | Parser> {
  /** Name in messages: usually its file. */
  readonly name: string;
  readonly model: Model;
  /** Writes it as a model, header included. */
  write(model: ModelWriter): void;
}

/** A model just trained, as a part of a pipeline. */
export function partOf(trained: TrainedAnnotator | TrainedParser): PipelinePart {
  if ('annotator' in trained) {
    const { annotator: model, about } = trained;
    return { name: model.task, model, write: (writer) => writeAnnotator(writer, model, about) };
  }
  const { parser, about } = trained;
  if (parser === undefined)
    throw new UsageError('a part is no model: expected a file, or what trainParser or readModelFile returns');
  return { name: parser.paradigm, model: parser, write: (model) => writeParser(model, parser, about) };
}

/** Opens the annotator or parser of a model; throws `InputError` if it holds none, or an unknown one. */
export async function openPart(model: ModelReader): Promise<PipelinePart> {
  const opened = isAnnotator(model) ? await openAnnotator(model) : await openParser(model);
  const name = model.path.length === 0 ? model.name : `${model.path.join('/')} of ${model.name}`;
  return { name, model: opened, write: (writer) => writer.copy(model) };
}

function isTokenizerPart(part: PipelinePart): part is PipelinePart<Tokenizer> {
  return 'task' in part.model && isTokenizer(part.model);
}

function isColumnPart(part: PipelinePart): part is PipelinePart<ColumnAnnotator> {
  return 'task' in part.model && fillsColumns(part.model);
}

export function isParserPart(part: PipelinePart): part is PipelinePart<Parser> {
  return 'paradigm' in part.model;
}

/** Sorts parts; throws `UsageError` for two with the same task (parsers excepted), and for too many parsers. */
export function sortedParts(parts: readonly PipelinePart[]) {
  const tokenizers = parts.filter(isTokenizerPart);
  const annotators = parts.filter(isColumnPart);
  const parsers = parts.filter(isParserPart);
  if (parsers.length > 1) checkMemberCount(parsers.length);
  if (tokenizers.length > 1) throw refusal(tokenizers[0], tokenizers[1], 'split text');
  for (const [i, one] of annotators.entries()) {
    const fillsSame = ({ model }: PipelinePart<ColumnAnnotator>) =>
      one.model.writes.some((column) => model.writes.includes(column));
    const other = annotators.slice(i + 1).find(fillsSame);
    if (other === undefined) continue;
    const { task } = one.model;
    throw refusal(one, other, other.model.task === task ? `are ${task}s` : 'fill the same columns');
  }
  return { tokenizer: tokenizers.at(0), annotators: inOrderOfReading(annotators), parsers };
}

function refusal(one: PipelinePart, other: PipelinePart, what: string): UsageError {
  return new UsageError(`${one.name} and ${other.name} both ${what}: expected one of them`);
}

/** Orders annotators so that each runs after those whose columns it reads. */
function inOrderOfReading(annotators: readonly PipelinePart<ColumnAnnotator>[]) {
  const ordered: PipelinePart<ColumnAnnotator>[] = [];
  const left = new Set(annotators);
  while (left.size > 0) {
    const waits = ({ model }: PipelinePart<ColumnAnnotator>) =>
      [...left].some(
        (other) => other.model !== model && other.model.writes.some((column) => model.reads.includes(column)),
      );
    // If each waits for another, take the first.
    const next = [...left].find((part) => !waits(part)) ?? [...left][0];
    ordered.push(next);
    left.delete(next);
  }
  return ordered;
}
