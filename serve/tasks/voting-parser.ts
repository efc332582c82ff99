import { Vote } from '../../combine/vote/vote.ts';
import { equalWeighting } from '../../combine/vote/weights/member-weighting.ts';
import type { Parse } from '../../parsers/parser.ts';
import type { SentenceParser } from '../../parsers/run/batch-parser.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';

/** What several parsers find in the same sentences. */
export interface Opinions {
  /** With the columns that the first parser fills: those that fill none of their own see them. */
  readonly sentences: readonly Sentence[];
  /** One list a parser, with one parse a sentence. */
  readonly parses: readonly (readonly Parse[])[];
}

export function opinionsOf(parsers: readonly SentenceParser[], given: readonly Sentence[]): Opinions {
  const [first, ...others] = parsers;
  const firstParses = parsesOf(first, given);
  const sentences = given.map((sentence, i) => ({ ...sentence, ...firstParses[i].columns }));
  return { sentences, parses: [firstParses, ...others.map((parser) => parsesOf(parser, sentences))] };
}

function parsesOf(parser: SentenceParser, sentences: readonly Sentence[]): Parse[] {
  return parser.parseAll?.(sentences) ?? sentences.map((sentence) => parser.parse(sentence));
}

/** Several parsers' vote, all as heavy; columns are those of the first. */
export class VotingParser implements SentenceParser {
  readonly reads = [];
  private readonly vote: Vote;

  constructor(private readonly parsers: readonly SentenceParser[]) {
    this.vote = new Vote(equalWeighting(parsers.length));
  }

  parse(sentence: Sentence): Parse {
    return this.parseAll([sentence])[0];
  }

  parseAll(given: readonly Sentence[]): Parse[] {
    const { sentences, parses } = opinionsOf(this.parsers, given);
    return sentences.map((sentence, i) => {
      const trees = parses.map((each) => each[i]);
      const notices = trees.flatMap((tree) => tree.notices);
      return { ...this.vote.decide({ sentence, trees }), columns: trees[0].columns, notices };
    });
  }
}
