import { UsageError } from '../src/errors.ts';
import type { ParseExplanation } from '../src/explain/explanation.ts';
import type { ExplainRequest } from '../src/explain/request.ts';
import type { Calibration } from '../src/learn/calibration.ts';
import type { ModelWriter } from '../src/model/model-writer.ts';
import type { AnnotatedColumn } from '../src/treebank/columns/names.ts';
import type { Sentence } from '../src/treebank/sentence.ts';
import type { Parse, ParseOptions, Parser, RankedParse } from './parser.ts';
import { jointlyRead, jointlyUnseen } from './parser.ts';

/** A parser whose trees another parser takes as features. */
export interface Guide {
  readonly parser: Parser;
  /** Writes the guide as part of a model. */
  write(model: ModelWriter): void;
}

/**
 * Parses with other parsers (guides) first and uses their trees as features (stacking: Nivre & McDonald 2008,
 * P08-1108; Martins, Das, Smith & Xing 2008, D08-1017). The model contains the guides.
 */
export class GuidedParser implements Parser {
  readonly paradigm: string;
  readonly reads: readonly AnnotatedColumn[];
  readonly filled: Readonly<Partial<Record<AnnotatedColumn, number>>>;

  constructor(
    private readonly parser: Parser,
    private readonly guideParsers: readonly Guide[],
  ) {
    this.paradigm = parser.paradigm;
    ({ reads: this.reads, filled: this.filled } = jointlyRead([
      parser,
      ...guideParsers.map((guide) => guide.parser),
    ]));
  }

  get calibration(): Calibration | undefined {
    return this.parser.calibration;
  }

  set calibration(calibration: Calibration | undefined) {
    this.parser.calibration = calibration;
  }

  parse(sentence: Sentence, options?: ParseOptions): Parse {
    return this.parseAll([sentence], options)[0];
  }

  parseAll(sentences: readonly Sentence[], options?: ParseOptions): Parse[] {
    const ofGuides = this.guideParsers.map(({ parser }) => parser.parseAll(sentences));
    return sentences.map((sentence, i) => {
      const guides = ofGuides.map((parses) => parses[i]);
      return withRemarks(guides, this.parser.parse({ ...sentence, guides }, options));
    });
  }

  nBest(sentence: Sentence, k: number): RankedParse[] {
    const guided = this.guided(sentence);
    const found = this.parser.nBest?.(guided, k);
    if (found !== undefined) return found.map((parse) => withRemarks(guided.guides, parse));
    throw new UsageError(`parsers of the paradigm ${this.paradigm} find the best tree only`);
  }

  explain(sentence: Sentence, request: ExplainRequest = {}): ParseExplanation {
    const explained = this.parser.explain?.(this.guided(sentence), request);
    if (explained !== undefined) return explained;
    throw new UsageError(`parsers of the paradigm ${this.paradigm} cannot explain themselves`);
  }

  private guided(sentence: Sentence): Sentence & { readonly guides: readonly Parse[] } {
    return { ...sentence, guides: this.guideParsers.map(({ parser }) => parser.parse(sentence)) };
  }

  save(model: ModelWriter): void {
    this.parser.save(model);
    const names = this.guideParsers.map((_, i) => `guide-${i + 1}`);
    model.header.guides = names;
    for (const [i, guide] of this.guideParsers.entries()) guide.write(model.part(names[i]));
  }
}

/** A parse with the notices and unseen values of the guides as well, each once. */
function withRemarks<Found extends Parse>(guides: readonly Parse[], parse: Found): Found {
  const all = [...guides, parse];
  const notices = [...new Set(all.flatMap((one) => one.notices))];
  return { ...parse, notices, unseen: jointlyUnseen(all) };
}
