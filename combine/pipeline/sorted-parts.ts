import type { ColumnAnnotator, Tokenizer } from '../../annotators/annotator.ts';
import type { Parser } from '../../parsers/parser.ts';
import { UsageError } from '../../src/errors.ts';
import { checkMemberCount } from '../vote/ballots.ts';
import { isColumnPart, isParserPart, isTokenizerPart, type PipelinePart } from './pipeline-part.ts';

/** The parts of a pipeline by what they do. */
export interface SortedParts {
  readonly tokenizer: PipelinePart<Tokenizer> | undefined;
  /** Each after those whose columns it reads. */
  readonly annotators: readonly PipelinePart<ColumnAnnotator>[];
  readonly parsers: readonly PipelinePart<Parser>[];
}

/** Throws `UsageError` where two do the same, parsers apart, or where these are too many. */
export function sortedParts(parts: readonly PipelinePart[]): SortedParts {
  const tokenizers = parts.filter(isTokenizerPart);
  const annotators = parts.filter(isColumnPart);
  const parsers = parts.filter(isParserPart);
  if (parsers.length > 1) checkMemberCount(parsers.length);
  if (tokenizers.length > 1) throw refusal(tokenizers[0], tokenizers[1], 'cut text');
  for (const [i, one] of annotators.entries()) {
    const fillsSame = ({ model }: PipelinePart<ColumnAnnotator>) =>
      one.model.writes.some((column) => model.writes.includes(column));
    const other = annotators.slice(i + 1).find(fillsSame);
    if (other === undefined) continue;
    const { task } = one.model;
    throw refusal(one, other, other.model.task === task ? `are ${task}s` : 'fill the same columns');
  }
  return { tokenizer: tokenizers[0], annotators: inOrderOfReading(annotators), parsers };
}

function refusal(one: PipelinePart, other: PipelinePart, what: string): UsageError {
  return new UsageError(`${one.name} and ${other.name} both ${what}: expected one of them`);
}

function inOrderOfReading(
  annotators: readonly PipelinePart<ColumnAnnotator>[],
): PipelinePart<ColumnAnnotator>[] {
  const ordered: PipelinePart<ColumnAnnotator>[] = [];
  const left = new Set(annotators);
  while (left.size > 0) {
    const waits = ({ model }: PipelinePart<ColumnAnnotator>) =>
      [...left].some(
        (other) => other.model !== model && other.model.writes.some((column) => model.reads.includes(column)),
      );
    // Where each waits for another the first one begins.
    const next = [...left].find((part) => !waits(part)) ?? [...left][0];
    ordered.push(next);
    left.delete(next);
  }
  return ordered;
}
