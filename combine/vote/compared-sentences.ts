import type { Parse, ParseOptions } from '../../parsers/parser.ts';
import type { SentenceParser } from '../../parsers/run/batch-parser.ts';
import type {
  ComparedSentence,
  ComparedTree,
  VotedArc,
  VotedTree,
} from '../../src/report/workbench/backend.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import type { DependencyTree, Sentence } from '../../src/treebank/sentence.ts';
import { textOf } from '../../src/treebank/surface.ts';
import { Poll } from './poll.ts';
import { Vote } from './vote.ts';
import { equalWeighting } from './weights/weighting.ts';

/** The parses of the same sentences by several parsers: `parses[parser][sentence]`. */
export interface ParallelParses {
  readonly sentences: readonly Sentence[];
  readonly parses: readonly (readonly Parse[])[];
}

/**
 * Parses sentences by several parsers.
 *
 * @param isTagged whether the first one is a pipeline, whose columns the others read; tags of a mere parser are its own
 * @param options returns the options for a parser, given its number
 */
export function parseWithAll(
  parsers: readonly Pick<SentenceParser, 'parseAll'>[],
  isTagged: boolean,
  given: readonly Sentence[],
  options: (parser: number) => ParseOptions,
): ParallelParses {
  const [first, ...others] = parsers;
  const firstParses = first.parseAll(given, options(0));
  const sentences = isTagged ? given.map((one, i) => ({ ...one, ...firstParses[i].columns })) : given;
  const otherParses = others.map((parser, i) => parser.parseAll(sentences, options(i + 1)));
  return { sentences, parses: [firstParses, ...otherParses] };
}

/** The trees of several parsers side by side and, with `vote`, the tree they vote for. */
export function comparedSentences(
  names: readonly string[],
  { sentences, parses }: ParallelParses,
  { vote: votes, confidence }: ParseOptions & { readonly vote: boolean },
): ComparedSentence[] {
  const vote = votes ? new Vote(equalWeighting(names.length)) : undefined;
  return sentences.map((sentence, i) => {
    const trees = parses.map((each) => each[i]);
    return {
      id: sentence.id,
      text: textOf(sentence).trim(),
      forms: sentence.forms.slice(1),
      trees: trees.map((tree, m) => comparedTree(names[m], sentence, tree)),
      vote: vote && votedTree(sentence, trees, names, vote, confidence),
    };
  });
}

function comparedTree(model: string, sentence: Sentence, parse: Parse): ComparedTree {
  const filled = { ...sentence, ...parse.columns };
  const [upos, xpos] = [filled.upos.slice(1), filled.xpos.slice(1)];
  const [confidences, conllu] = [figuresOf(parse.confidences), formatSentence(filled, 'conllu', parse)];
  const notices = parse.notices.length > 0 ? parse.notices : undefined;
  return { model, upos, xpos, ...asLists(parse), confidences, notices, conllu };
}

function votedTree(
  sentence: Sentence,
  trees: readonly Parse[],
  names: readonly string[],
  vote: Vote,
  confidence: boolean | undefined,
): VotedTree {
  const poll = new Poll();
  const { tree, confidences } = vote.decide({ sentence, trees }, poll);
  return {
    ...asLists(tree),
    confidences: figuresOf(confidence ? confidences : undefined),
    ballots: Array.from({ length: sentence.length }, (_, i) => ballotOn(i + 1, poll, names)),
    conllu: formatSentence(sentence, 'conllu', tree),
  };
}

function ballotOn(d: number, poll: Poll, names: readonly string[]): VotedArc[] {
  const arcs: VotedArc[] = [];
  for (let arc = poll.firstArc[d]; arc < poll.firstArc[d + 1]; arc++) {
    const models = names.filter((_, m) => poll.choices[m * (poll.n + 1) + d] === arc);
    arcs.push({ head: poll.arcHeads[arc], label: poll.arcLabels[arc] || '_', models });
  }
  return arcs.sort((a, b) => b.models.length - a.models.length);
}

function asLists({ heads, labels }: DependencyTree): { heads: number[]; labels: string[] } {
  return { heads: [...heads.subarray(1)], labels: labels.slice(1) };
}

function figuresOf(confidences: Float64Array | undefined): number[] | undefined {
  return confidences && Array.from(confidences.subarray(1), (figure) => Number(figure.toFixed(3)));
}
