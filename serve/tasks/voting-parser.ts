import { explainVote } from '../../combine/vote/analysis/explain-vote.ts';
import { Vote } from '../../combine/vote/vote.ts';
import { equalWeighting } from '../../combine/vote/weights/member-weighting.ts';
import type { Parse, ParseOptions } from '../../parsers/parser.ts';
import type { SentenceParser } from '../../parsers/run/batch-parser.ts';
import type { VoteParseExplanation } from '../../src/explain/explanation.ts';
import type { ExplainRequest } from '../../src/explain/request.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';

/** What several parsers find in the same sentences. */
export interface Opinions {
  /** With the columns that the first parser fills: those that fill none of their own see them. */
  readonly sentences: readonly Sentence[];
  /** One list a parser, with one parse a sentence. */
  readonly parses: readonly (readonly Parse[])[];
}

export function opinionsOf(
  parsers: readonly SentenceParser[],
  given: readonly Sentence[],
  options?: ParseOptions,
): Opinions {
  const [first, ...others] = parsers;
  const firstParses = parsesOf(first, given, options);
  const sentences = given.map((sentence, i) => ({ ...sentence, ...firstParses[i].columns }));
  const otherParses = others.map((parser) => parsesOf(parser, sentences, options));
  return { sentences, parses: [firstParses, ...otherParses] };
}

function parsesOf(parser: SentenceParser, sentences: readonly Sentence[], options?: ParseOptions): Parse[] {
  return (
    parser.parseAll?.(sentences, options) ?? sentences.map((sentence) => parser.parse(sentence, options))
  );
}

/** Several parsers' vote, all as heavy; columns are those of the first. */
export class VotingParser implements SentenceParser {
  readonly reads = [];
  private readonly vote: Vote;

  constructor(private readonly parsers: readonly SentenceParser[]) {
    this.vote = new Vote(equalWeighting(parsers.length));
  }

  parse(sentence: Sentence, options?: ParseOptions): Parse {
    return this.parseAll([sentence], options)[0];
  }

  parseAll(given: readonly Sentence[], { confidence }: ParseOptions = {}): Parse[] {
    const { sentences, parses } = opinionsOf(this.parsers, given);
    return sentences.map((sentence, i) => {
      const trees = parses.map((each) => each[i]);
      const notices = trees.flatMap((tree) => tree.notices);
      const tree = this.vote.decide({ sentence, trees });
      const confidences = confidence ? this.vote.confidences() : undefined;
      return { ...tree, confidences, columns: trees[0].columns, notices };
    });
  }

  /**
   * Who votes for what, and what comes of it.
   *
   * @param names of the parsers
   */
  explain(sentence: Sentence, request: ExplainRequest, names: readonly string[]): VoteParseExplanation {
    const parse = this.parse(sentence);
    return explainVote(this.vote, names, { ...sentence, ...parse.columns }, parse, request);
  }
}
