import { expect, test } from 'vitest';
import { fillFile, jackknifed, tokenizeFile } from '../api/annotate.ts';
import { bootstrapScores, comparePhrases, pairedBootstrap, stratifiedShuffling } from '../api/evaluate.ts';
import type { ThreadedParser } from '../api/parse.ts';
import {
  CheckpointFile,
  distil,
  readWords,
  type SkipGramRun,
  skipGramOptions,
  TextWords,
  trainVectors,
} from '../api/train.ts';
import { type ColumnFormat, dependenciesOfPhrases, phraseTrees } from '../api/treebank.ts';
import {
  explainVote,
  learnWeighting,
  readAnswers,
  readGoldBallots,
  voteCrossValidated,
} from '../api/vote.ts';
import {
  Catalogue,
  compare,
  comparisonPage,
  drawPhraseTree,
  drawTree,
  ensembleOf,
  equalWeighting,
  evaluate,
  explanationPage,
  formatBrackets,
  formatSentence,
  givenWeighting,
  inMemory,
  loadAnnotator,
  loadParser,
  loadPipeline,
  makeEnsemble,
  makePipeline,
  openTreebank,
  Pipeline,
  parseFile,
  parseWithPipeline,
  readSentences,
  registerParadigm,
  runExperiment,
  saveAnnotator,
  saveParser,
  savePipeline,
  scorePhrases,
  sentenceOf,
  type Tokenizer,
  trainAnnotator,
  trainParser,
  trainPipeline,
  trainStacked,
  UsageError,
  Vote,
  voteFiles,
} from '../index.ts';
import { samplePath, sampleText } from './support/sample.ts';
import { Sandbox } from './support/sandbox.ts';

const sandbox = new Sandbox('api-refusals');
const gold = readSentences(sampleText('train'), { expect: 'trees' }).slice(0, 40);
const small = inMemory(gold, 'small');
const brackets = samplePath('train').replace('.conllu', '.mrg');
const { parser } = await trainParser('graph', small, { options: { epochs: 1, bits: 14 } });
const { annotator } = await trainAnnotator('tokenizer', small, { options: { epochs: 1, bits: 12 } });
const tokenizer = annotator as Tokenizer;
const english = await makePipeline([
  { annotator, about: {} },
  { parser, about: {} },
]);
const model = sandbox.path('graph.model');
saveParser(model, parser);
const never: ThreadedParser = {
  load: () => Promise.reject(new Error('not to be loaded')),
  worker: { file: new URL('file:///'), data: {} },
};
const nothing = {} as never;
const parse = (options: object) =>
  parseFile(never, samplePath('dev'), sandbox.path('refused.conllu'), options);

test.each<[string, () => unknown, unknown]>([
  [
    'an unknown weighting',
    () => makeEnsemble([parser, parser], { dev: small, weighting: 'learned' as never }),
    'weighting learned: expected one of equal, agreement, uas, las, tag, learnt',
  ],
  [
    'a parser given to saveAnnotator',
    () => saveAnnotator(model, parser as never),
    'saveAnnotator takes an annotator',
  ],
  [
    'a parser given to savePipeline',
    () => savePipeline(model, parser as never),
    'savePipeline takes a pipeline: makePipeline makes one',
  ],
  ['a pipeline given to saveParser', () => saveParser(model, english as never), 'saveParser takes a parser'],
  [
    'options of saveParser before the record of the training',
    () => saveParser(model, parser, { compact: true } as never),
    'saveParser’s third argument has no option compact, expected some of options, seed, train, dev, silver, from, replay, scores, end',
  ],
  [
    'a comparison without metrics',
    () => compare(small, [small, small], { metrics: [] }),
    'no metrics, expected at least one',
  ],
  [
    'a tree whose length differs from its sentence’s',
    () => evaluate(small, inMemory([{ ...gold[0], heads: gold[0].heads.subarray(1) }], 'short')),
    `a tree with ${gold[0].length} heads and ${gold[0].length + 1} labels for a sentence of ${gold[0].length} tokens, expected ${gold[0].length + 1} of each`,
  ],
  [
    'a request for the 0 best trees',
    async () => parser.nBest!(gold[0], 0),
    'k 0: expected a whole number from 1 to 9007199254740991',
  ],
  [
    'a fractional number of members',
    async () => equalWeighting(1.5),
    'count 1.5: expected a whole number from 1 to 9007199254740991',
  ],
  [
    'a missing weight',
    async () => givenWeighting([1, undefined as never]),
    'a weight is undefined, expected a number from 0',
  ],
  [
    'a member that does not exist',
    async () => givenWeighting([1, 2], [2]),
    'member 2: expected a whole number from 0 to 1',
  ],
  [
    'an unknown weighting to learn',
    async () =>
      learnWeighting('LAS' as 'las', [{ sentence: gold[0], gold: gold[0], trees: [gold[0]] } as never]),
    'name LAS: expected one of equal, agreement, uas, las, tag, learnt',
  ],
  [
    'an unknown column to read',
    async () => readSentences(sampleText('dev'), { columns: new Set(['form' as 'forms']) }),
    'columns form: expected one of forms, lemmas, upos, xpos, feats, labels, deps, misc',
  ],
  [
    'an unknown treatment of traces',
    async () => readSentences(sampleText('dev'), { traces: 'keep' as 'ignore' }),
    'traces keep: expected one of ignore, resolve',
  ],
  [
    'a field that contains a line end',
    async () => formatSentence({ ...sentenceOf('Dogs bark'), lemmas: ['', 'dog', 'bark\nloudly'] }, 'conllu'),
    '“bark\\nloudly”: expected text without tabs and line ends',
  ],
  [
    'a parser given to fillFile',
    () => fillFile(parser as never, samplePath('dev'), sandbox.path('filled.conllu')),
    'fillFile takes a tagger or lemmatizer',
  ],
  [
    'a parser given to tokenizeFile',
    () => tokenizeFile(parser as never, samplePath('dev'), sandbox.path('split.conllu')),
    'tokenizeFile takes a tokenizer',
  ],
  ...(
    [
      ['voteFiles', () => voteFiles([samplePath('dev')], sandbox.path('voted.conllu'), nothing)],
      ['ensembleOf', async () => ensembleOf([model], undefined as never)],
    ] as [string, () => unknown][]
  ).map(([name, call]): [string, () => unknown, string] => [
    `${name} without a weighting`,
    call,
    'no weighting, expected one: equalWeighting, givenWeighting and learnWeighting make them',
  ]),
  [
    'a paradigm without a train function',
    () => registerParadigm(`data:text/javascript,export const paradigm = { name: 'bare', options: {} }`),
    expect.stringMatching(': the paradigm has no train$'),
  ],
  ['NUL in a form', async () => sentenceOf(['Dogs\0']), expect.stringMatching('line ends and NUL$')],
  [
    'scores of two systems on different numbers of samples',
    async () => pairedBootstrap(new Float64Array(3), new Float64Array(2)),
    '3 scores of A and 2 of B, expected those of the same samples',
  ],
  ['training without a treebank', () => trainParser('graph', []), 'no files, expected at least one treebank'],
  ...[-1, 1.5].map((seed): [string, () => unknown, string] => [
    `seed ${seed}`,
    () => trainParser('bigram', small, { seed }),
    `seed ${seed}: expected a whole number from 0 to 4294967295`,
  ]),
  ...[0, Number.NaN].flatMap((jobs): [string, () => unknown, string][] => {
    const problem = `jobs ${jobs}: expected a whole number from 1 to 1024`;
    return [
      [`training with ${jobs} jobs`, () => trainParser('bigram', small, { jobs }), problem],
      [`parsing with ${jobs} jobs`, () => parse({ jobs }), problem],
    ];
  }),
  [
    'a misspelt option of trainParser',
    () => trainParser('graph', small, { option: { epochs: 1 } } as object),
    'trainParser has no option option, expected some of options, onMember, seed, jobs, dev, silver, from, signal, checkpoints, onProgress, onNotice, onWarning',
  ],
  ...(
    [
      ['trainStacked', (given) => trainStacked('graph', small, given)],
      ['trainAnnotator', (given) => trainAnnotator('tagger', small, given)],
      ['trainPipeline', (given) => trainPipeline(small, given)],
      [
        'trainVectors',
        (given) => trainVectors(new TextWords(), skipGramOptions.parse({}), given as SkipGramRun),
      ],
      ['distil', (given) => distil(small, { teacher: [], text: [], student: { parser: 'graph' }, ...given })],
    ] as [string, (given: object) => unknown][]
  ).flatMap(([name, train]): [string, () => unknown, unknown][] => [
    [
      `a misspelt option of ${name}`,
      () => train({ sead: 3 }),
      expect.stringMatching(`^${name} has no option sead, expected some of `),
    ],
    [
      `a seed of ${name} that is not a number`,
      () => train({ seed: '3' }),
      'seed 3: expected a whole number from 0 to 4294967295',
    ],
  ]),
  ...[loadParser, loadPipeline, loadAnnotator].map((load): [string, () => unknown, string] => [
    `a number given to ${load.name} in place of a file name`,
    () => load(3 as unknown as string),
    'model “3”: expected the name of a file',
  ]),
  ...[loadPipeline, openTreebank].map((open): [string, () => unknown, unknown] => [
    `the bytes of a file given to ${open.name} in place of its name`,
    () => open(new Uint8Array(1000) as unknown as string),
    expect.stringMatching(/^(model|file) “(0,){20}…”: expected /),
  ]),
  [
    'a parser without its header as a part of a pipeline',
    () => makePipeline([parser, parser] as never),
    'a part is no model: expected a file, or what trainParser or readModelFile returns',
  ],
  [
    'an unknown format for a file',
    () => parse({ to: 'foo' }),
    'to foo: expected one of conllu, conllup, conllx, three-column, json, brackets',
  ],
  [
    'an unknown format for a sentence',
    async () => formatSentence(sentenceOf('Dogs bark'), 'foo' as ColumnFormat),
    'foo: no format of dependency trees',
  ],
  ...(
    [
      ['evaluate', (given) => evaluate(small, small, given)],
      ['compare', (given) => compare(small, [small, small], given)],
      ['scorePhrases', (given) => scorePhrases(brackets, brackets, given)],
      ['comparePhrases', (given) => comparePhrases(nothing, [], given)],
      ['bootstrapScores', async (given) => bootstrapScores([], given)],
      ['stratifiedShuffling', async (given) => stratifiedShuffling(nothing, nothing, given)],
      ['comparisonPage', (given) => comparisonPage(nothing, nothing, given)],
      ['explanationPage', (given) => explanationPage(nothing, given)],
      ['parseFile', parse],
      ['parseWithPipeline', (given) => parseWithPipeline('none.model', 'none', 'none', given)],
      ['makeEnsemble', (given) => makeEnsemble([], given)],
      ['makePipeline', (given) => makePipeline([], given)],
      ['ensembleOf', (given) => ensembleOf([], equalWeighting(2), given)],
      ['explainVote', (given) => explainVote([], () => equalWeighting(2), given)],
      ['voteFiles', (given) => voteFiles([], 'none', { weighting: equalWeighting(2), ...given })],
      ['voteCrossValidated', (given) => voteCrossValidated(nothing, 'none', { folds: 2, ...given })],
      ['runExperiment', (given) => runExperiment('none.json', given)],
      ['openTreebank', (given) => openTreebank(samplePath('dev'), given)],
      ['readSentences', (given) => readSentences(sampleText('dev'), given)],
      ['phraseTrees', async (given) => phraseTrees(await openTreebank(brackets), given)],
      ['formatBrackets', (given) => formatBrackets(nothing, given)],
      ['dependenciesOfPhrases', (given) => dependenciesOfPhrases(nothing, given)],
      ['drawPhraseTree', (given) => drawPhraseTree(nothing, given)],
      ['drawTree', (given) => drawTree(gold[0], gold[0], given)],
      ['Catalogue.open', (given) => Catalogue.open(given)],
      ['saving a model', (given) => saveParser('none.model', parser, {}, given)],
      ['CheckpointFile', (given) => new CheckpointFile('none.model', { resume: true, ...given })],
      ['Vote', (given) => new Vote(equalWeighting(2), given)],
      ['Pipeline', (given) => new Pipeline(english.parts, given)],
      ['parse', (given) => parser.parse(gold[0], given)],
      ['parse', (given) => parser.parseAll([gold[0]], given)],
      ['parse', async (given) => (await makeEnsemble([parser])).parse(gold[0], given)],
      ['parse', (given) => english.parse('Dogs bark.', 'text', given)],
      ['parse', (given) => english.sentenceParser().parse(gold[0], given)],
      ['explain', (given) => parser.explain!(gold[0], given)],
      ['a tokenizer', (given) => tokenizer.open('text', 'text', given)],
      ['tokenizeFile', (given) => tokenizeFile(tokenizer, 'none', 'none', given)],
      ['fillFile', (given) => fillFile(nothing, 'none', 'none', given)],
      ['readWords', (given) => readWords([], given)],
      ['jackknifed', (given) => jackknifed(small, { tasks: [], ...given })],
      ['readAnswers', (given) => readAnswers([], given)],
      ['readGoldBallots', (given) => readGoldBallots('none', [], given)],
    ] as [string, (given: object) => unknown][]
  ).map(([name, call]): [string, () => unknown, unknown] => [
    `a misspelt option of ${name}`,
    () => call({ sead: 3 }),
    expect.stringMatching(`^${name} has no option sead, expected some of `),
  ]),
  [
    'an unknown metric',
    () => compare(small, [small, small], { metrics: ['LAS' as 'las'] }),
    'metrics LAS: expected one of uas, las, laa, root, complete, udlas, clas, mlas, blex',
  ],
  [
    'a name in place of a list',
    () => compare(small, [small, small], { by: 'label' as unknown as [] }),
    'by label: expected a list of label, tag, head-tag, children, distance, length, depth, projective',
  ],
  [
    'a negative number of entries',
    () => compare(small, [small, small], { limit: -1 }),
    'limit -1: expected a whole number from 0 to 9007199254740991',
  ],
  [
    'an unknown scorer of phrases',
    () => scorePhrases(brackets, brackets, { scorer: 'foo' as 'evalb' }),
    expect.stringMatching('^scorer foo: expected one of evalb, '),
  ],
  [
    'an unknown annotation to keep',
    async () => {
      const member = { parser, about: nothing };
      (await makePipeline([member, member])).complete(gold[0], ['tag' as 'tags']);
    },
    'keep tag: expected one of tags, lemmas',
  ],
  [
    'the name of a module in place of its URL',
    () => registerParadigm('left-neighbour'),
    'left-neighbour: expected the URL of a module, as import.meta.resolve returns it',
  ],
  [
    'a weighting for fewer members than the ensemble has',
    () => ensembleOf([model, model], equalWeighting(1)).load(),
    'the number of weights is 1, of members 2',
  ],
  [
    'files in place of parsers',
    () => makeEnsemble(['a.model', 'b.model'] as unknown as []),
    'a member is no parser: loadParser opens one from its file',
  ],
  ...(
    [
      ['trainParser', (given) => trainParser('graph', given)],
      ['trainAnnotator', (given) => trainAnnotator('tagger', given)],
      ['makeEnsemble', (given) => makeEnsemble([parser], { dev: given })],
      ['evaluate', (given) => evaluate(small, given)],
      ['compare', (given) => compare(given, [small, small])],
    ] as [string, (given: never) => unknown][]
  ).map(([name, call]): [string, () => unknown, string] => [
    `a treebank given to ${name} while it is still being opened`,
    () => call(openTreebank(samplePath('dev')) as never),
    'expected a treebank, as openTreebank and inMemory return it, or the name of its file',
  ]),
  [
    'options in place of a layout',
    () => english.parse('Dogs bark.', { confidence: true } as never),
    'layout: expected one of text, lines, tokens',
  ],
  ['a number in place of a text', async () => readSentences(5 as unknown as string), 'number: expected text'],
  [
    'a number in place of a file name',
    () => openTreebank(5 as unknown as string),
    'file “5”: expected its name',
  ],
  [
    'an unknown format to read',
    () => openTreebank(samplePath('dev'), { format: 'foo' as 'conllu' }),
    'format foo: expected one of conllu, conllup, conllx, three-column, json, brackets',
  ],
  [
    'an unknown requirement on heads',
    async () => readSentences(sampleText('dev'), { expect: 'foo' as 'trees' }),
    'expect foo: expected one of trees, partial-trees, heads, tokens',
  ],
  [
    'an unknown breakdown',
    () => evaluate(small, small, { by: ['foo' as 'label'] }),
    'by foo: expected one of label, tag, head-tag, children, distance, length, depth, projective',
  ],
  [
    'a file in place of a list of files',
    () => compare(small, 'file.conllu' as never),
    'expected at least two parsers to compare',
  ],
])('a usage error is thrown for %s', async (_, work, message) => {
  const working = Promise.resolve().then(work);
  await expect(working).rejects.toBeInstanceOf(UsageError);
  await expect(working).rejects.toMatchObject({ message });
});
