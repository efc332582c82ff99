import { completed, Pipeline } from '../../combine/pipeline/pipeline.ts';
import { comparedSentences, type Opinions } from '../../combine/vote/compared-sentences.ts';
import { Vote } from '../../combine/vote/vote.ts';
import { equalWeighting } from '../../combine/vote/weights/weighting.ts';
import type { Parse, ParseOptions } from '../../parsers/parser.ts';
import { allParadigms } from '../../parsers/registry.ts';
import { UsageError } from '../../src/errors.ts';
import type { ComparedSentence } from '../../src/report/workbench/compared-sentence.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { inMemory } from '../../src/treebank/treebanks.ts';
import { calls, holding, type Told, treebankOf } from '../calls.ts';
import type { OptionSchema } from './options-form.ts';

/** A way of parsing that the page can train. */
export interface OfferedParadigm {
  readonly name: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, OptionSchema>>;
}

/** What the playground asks of its workers beside the calls of `parliament/web`. */
export const playgroundCalls = {
  ...calls,

  /** A text as the model's tokenizer splits it. */
  cut(text: string): Sentence[] {
    const { opened } = holding();
    const tokenizer = opened instanceof Pipeline ? opened.tokenizer : undefined;
    if (tokenizer === undefined) throw new UsageError('this model splits no text into words');
    const stream = tokenizer.open('text');
    return [...stream.push(text), ...stream.end()];
  },

  /** What the model finds in sentences; without `trees`, columns alone. */
  opinion(
    sentences: readonly Sentence[],
    { trees = true, ...options }: ParseOptions & { readonly trees?: boolean },
  ): Parse[] {
    const { opened } = holding();
    const parser = opened instanceof Pipeline ? opened.sentenceParser([], { trees }) : opened;
    return parser.parseAll(sentences, options);
  },

  compared(
    names: readonly string[],
    opinions: Opinions,
    options: ParseOptions & { readonly vote: boolean },
  ): ComparedSentence[] {
    return comparedSentences(names, opinions, options);
  },

  /** The scores of several parsers and of their vote against the trees that the sentences have, as HTML. */
  async scores(
    treebank: string,
    names: readonly string[],
    { sentences, parses }: Opinions,
    { onProgress }: Told,
  ): Promise<string> {
    const { compare } = await import('../../src/evaluate/comparison/compare.ts');
    const { comparisonHtml } = await import('./comparison-html.ts');
    const vote = new Vote(equalWeighting(names.length));
    const voted = sentences.map((sentence, i) => {
      const { tree } = vote.decide({ sentence, trees: parses.map((each) => each[i]) });
      return { ...tree, notices: [] };
    });
    const outputs = [...parses, voted].map((each, m) => {
      const whole = sentences.map((sentence, i) => completed(sentence, each[i]));
      return inMemory(whole, names[m] ?? 'vote');
    });
    const onSentence = (done: number) => onProgress({ done, total: sentences.length });
    const options = { names: [...names, 'vote'], onSentence };
    return comparisonHtml((await compare(inMemory(sentences, treebank), outputs, options)).comparison);
  },

  /** The sentences of a treebank's text, which must have trees. */
  async sentences(name: string, text: string): Promise<Sentence[]> {
    const all: Sentence[] = [];
    for await (const sentence of treebankOf({ name, text }, 'trees')) all.push(sentence);
    return all;
  },

  /** What can be trained on dependencies; of the options, those that make sense in a page. */
  async paradigms(): Promise<OfferedParadigm[]> {
    const { toJSONSchema } = await import('zod');
    const dependencies = (await allParadigms()).filter(({ needsPhrases }) => !needsPhrases);
    return dependencies.map(({ name, summary, options }) => {
      const { properties = {} } = toJSONSchema(options, { io: 'input' });
      const shown = Object.entries(properties).filter(([option]) => !notInPages.has(option));
      return { name, summary, options: Object.fromEntries(shown) as OfferedParadigm['options'] };
    });
  },
};

/** Options of files, and of trainings in threads. */
const notInPages = new Set(['members', 'memberLearner', 'keepMembers', 'vectors', 'vectorsLimit', 'encoder']);
