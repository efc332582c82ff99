import { Poll } from '../../combine/vote/poll.ts';
import { Vote } from '../../combine/vote/vote.ts';
import { equalWeighting } from '../../combine/vote/weights/member-weighting.ts';
import type { Parse } from '../../parsers/parser.ts';
import type { SentenceParser } from '../../parsers/run/batch-parser.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import type { DependencyTree, Sentence } from '../../src/treebank/sentence.ts';
import { textOf } from '../../src/treebank/surface.ts';
import type { ComparedSentence, ComparedTree, VotedArc, VotedTree } from './compared-sentence.ts';
import { opinionsOf } from './open-model.ts';
import type { CompareTask } from './task.ts';

/** The trees of several parsers for the same sentences, and the tree they vote for, as JSON. */
export function comparedJson(
  given: readonly Sentence[],
  parsers: readonly { readonly name: string; readonly parser: SentenceParser }[],
  { vote: votes, confidence }: Pick<CompareTask, 'vote' | 'confidence'>,
): string {
  const names = parsers.map(({ name }) => name);
  const { sentences, parses } = opinionsOf(
    parsers.map(({ parser }) => parser),
    given,
    { confidence },
  );
  const vote = votes ? new Vote(equalWeighting(parsers.length)) : undefined;
  return sentences
    .map((sentence, i) => {
      const trees = parses.map((each) => each[i]);
      const compared: ComparedSentence = {
        id: sentence.id,
        text: textOf(sentence).trim(),
        forms: sentence.forms.slice(1),
        trees: trees.map((tree, m) => comparedTree(names[m], sentence, tree)),
        vote: vote && votedTree(sentence, trees, names, vote, confidence),
      };
      return JSON.stringify(compared);
    })
    .join(',');
}

function comparedTree(model: string, sentence: Sentence, parse: Parse): ComparedTree {
  const filled = { ...sentence, ...parse.columns };
  return {
    model,
    upos: filled.upos.slice(1),
    xpos: filled.xpos.slice(1),
    ...asLists(parse),
    confidences: figuresOf(parse.confidences),
    conllu: formatSentence(filled, 'conllu', parse),
  };
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
