import { completed, Pipeline } from '../../combine/pipeline/pipeline.ts';
import { comparedSentences, type ParallelParses } from '../../combine/vote/compared-sentences.ts';
import { Vote } from '../../combine/vote/vote.ts';
import { equalWeighting } from '../../combine/vote/weights/weighting.ts';
import type { Parse, ParseOptions } from '../../parsers/parser.ts';
import { allParadigms } from '../../parsers/registry.ts';
import { noticingColumns } from '../../parsers/run/column-check.ts';
import { UsageError } from '../../src/errors.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { inMemory } from '../../src/treebank/treebanks.ts';
import { type CallEvents, calls, loadedModel, sentenceParserOf } from '../calls.ts';
import type { OptionSchema } from './options-form.ts';

export interface OfferedParadigm {
  readonly name: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, OptionSchema>>;
}

/** The calls of `parliament/web`, and those that only the playground makes. */
export const playgroundCalls = {
  ...calls,

  tokenize(text: string): Sentence[] {
    const { opened } = loadedModel();
    const tokenizer = opened instanceof Pipeline ? opened.tokenizer : undefined;
    if (tokenizer === undefined) throw new UsageError('this model has no tokenizer');
    const stream = tokenizer.open('text');
    return [...stream.push(text), ...stream.end()];
  },

  /** Parses sentences with the model; without `trees`, only predicts columns. */
  opinion(
    sentences: readonly Sentence[],
    { trees = true, ...options }: ParseOptions & { readonly trees?: boolean },
  ): Parse[] {
    const parser = sentenceParserOf(loadedModel().opened, { trees });
    return noticingColumns(parser).parseAll(sentences, options);
  },

  compared: comparedSentences,

  /** Compares several parsers and their vote with the gold trees of the sentences; returns HTML. */
  async scores(
    treebank: string,
    names: readonly string[],
    { sentences, parses }: ParallelParses,
    { onProgress }: CallEvents,
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

  /** Reads the sentences of a treebank, which must have trees. */
  sentences(name: string, text: string): Sentence[] {
    return readSentences(text, { name, expect: 'trees' });
  },

  /** Lists the paradigms that are trained on dependencies, with the options that are available in a page. */
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

/** Options that need files or threads. */
const notInPages = new Set([
  'members',
  'memberLearner',
  'keepMembers',
  'vectors',
  'vectorsLimit',
  'encoder',
  'encoderByName',
]);
