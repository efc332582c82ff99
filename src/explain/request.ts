import { checkFields } from '../checks.ts';
import { OptionError, UsageError } from '../errors.ts';
import { tagOf } from '../evaluate/breakdowns/buckets.ts';
import type { DependencyTree, Sentence } from '../treebank/sentence.ts';
import { isTree } from '../treebank/tree.ts';
import type { ExplainedToken } from './shared.ts';

/** What an explanation should contain beyond the tree and its scores. */
export interface ExplainRequest {
  /** The gold tree, to compare decisions (or an oracle's steps) with. */
  readonly gold?: DependencyTree | undefined;
  /** The token whose arc is explained feature by feature. */
  readonly arc?: number | undefined;
  /** The step, from 1, whose decision is explained feature by feature. */
  readonly step?: number | undefined;
}

/** Fills the fields of every explanation. `built`: the projective tree that the search found, if it may differ. */
export function explainedSentenceOf(
  sentence: Sentence,
  found: DependencyTree & { readonly notices: readonly string[] },
  { gold }: ExplainRequest,
  built: DependencyTree = found,
) {
  const { length, forms, id } = sentence;
  const tokens = Array.from({ length: length + 1 }, (_, d): ExplainedToken => {
    return d === 0 ? { form: '', tag: '' } : { form: forms[d], tag: tagOf(sentence, d) };
  });
  return {
    ...(id === undefined ? {} : { id }),
    tokens,
    tree: plainTree(found),
    ...(isSame(built, found) ? {} : { built: plainTree(built) }),
    ...(gold === undefined ? {} : { gold: plainTree(gold) }),
    notices: [...found.notices],
  };
}

const isSame = (a: DependencyTree, b: DependencyTree): boolean =>
  a.labels.every((label, d) => label === b.labels[d] && a.heads[d] === b.heads[d]);

const plainTree = ({ heads, labels }: DependencyTree) => ({ heads: [...heads], labels: [...labels] });

/**
 * Checks a request against the sentence and the abilities of the parser.
 *
 * @throws UsageError or OptionError if there is no such arc or step, or the sentence is parsed in chunks
 */
export function checkRequest(
  request: ExplainRequest,
  { length }: Sentence,
  maxLength = Number.POSITIVE_INFINITY,
  has: { readonly arcs?: boolean; readonly steps?: boolean } = {},
): void {
  checkFields<keyof ExplainRequest>('explain', request, ['gold', 'arc', 'step']);
  const { arc, step, gold } = request;
  if (gold !== undefined && gold.heads.length !== length + 1)
    throw new UsageError(`a gold tree of ${gold.heads.length - 1} tokens for a sentence of ${length}`);
  if (gold !== undefined && !isTree(gold.heads)) throw new UsageError('the gold heads do not form a tree');
  if (arc !== undefined) {
    if (!has.arcs) refuse('arc', arc, 'this parser does not score arcs', has.steps ? 'step' : undefined);
    if (!(Number.isInteger(arc) && arc >= 1 && arc <= length))
      refuse('arc', arc, `the sentence has the tokens 1 to ${length}`);
  }
  if (step !== undefined && !has.steps)
    refuse('step', step, 'this parser has no steps', has.arcs ? 'arc' : undefined);
  if (length > maxLength)
    throw new UsageError(
      `${length} tokens, parsed in chunks of ${maxLength}: only sentences parsed in one piece can be explained`,
    );
}

export function checkStep({ step }: ExplainRequest, count: number): void {
  if (step === undefined || (Number.isInteger(step) && step >= 1 && step <= count)) return;
  refuse('step', step, count === 0 ? 'there are no steps' : `there are the steps 1 to ${count}`);
}

/** @param instead a request that this parser can answer */
function refuse(name: string, value: number, why: string, instead?: string): never {
  throw new OptionError((option) => {
    const hint = instead === undefined ? '' : `; try ${option(instead)}`;
    return `${option(name, value)}: ${why}${hint}`;
  });
}
