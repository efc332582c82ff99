/** A user's program in TypeScript: two parsers are trained, saved, loaded and vote, also as one ensemble. */
import {
  Catalogue,
  type Ensemble,
  ensembleOf,
  equalWeighting,
  evaluate,
  formatSentence,
  inMemory,
  loadParser,
  makeEnsemble,
  openTreebank,
  type ParseFigures,
  type Parser,
  parseFile,
  readSentences,
  type Sentence,
  saveParser,
  sentenceOf,
  type Token,
  type Treebank,
  trainParser,
  Vote,
} from 'parliament';
import { readModelFile } from 'parliament/model';
import { type GraphOptions, graphOptions } from 'parliament/train';

async function sample(part: string): Promise<Treebank & { readonly name: string }> {
  const catalogue = await Catalogue.open();
  const entry = catalogue.entry('sample');
  const file = entry.files.find((each) => each.part === part);
  if (file === undefined) throw new Error(`the sample has no part ${part}`);
  return openTreebank(catalogue.pathOf(entry, file));
}

async function trainAndLoad(paradigm: 'graph' | 'transition'): Promise<Parser> {
  const { parser, about } = await trainParser(paradigm, await sample('train'), { options: { epochs: 2 } });
  saveParser(`${paradigm}.model`, parser, about);
  return loadParser(`${paradigm}.model`);
}

const parsers = [await trainAndLoad('graph'), await trainAndLoad('transition')];
const vote = new Vote(equalWeighting(parsers.length), { method: 'reparse-cle' });
const dev = await sample('dev');
for await (const sentence of dev) {
  const trees = parsers.map((parser) => parser.parse(sentence));
  const { heads, labels }: { heads: Int32Array; labels: readonly string[] } = vote.decide({
    sentence,
    trees,
  }).tree;
  if (heads.length !== labels.length) throw new Error('heads and labels of different lengths');
}
await parseFile(readModelFile('graph.model'), dev.name, 'parsed.conllu', { jobs: 2 });
const { uas, las } = await evaluate(dev, await openTreebank('parsed.conllu'));
if (!(uas > 50 && las > 40)) throw new Error(`too low: UAS ${uas}, LAS ${las}`);

const ensemble: Ensemble = await makeEnsemble(parsers, { dev, weighting: 'uas' });
const models = ensembleOf(['graph.model', 'transition.model'], ensemble.vote.weighting);
const figures: ParseFigures = await parseFile(models, dev.name, 'voted.conllu');
if (figures.sentences < 10) throw new Error(`too few: ${figures.sentences} sentences`);

const tokens: Token[] = [{ form: 'Dogs', upos: 'NOUN' }, { form: 'bark' }];
const sentence: Sentence = sentenceOf(tokens);
const text = formatSentence(sentence, 'conllu', ensemble.parse(sentence));
const again = await evaluate(inMemory(readSentences(text), 'text'), inMemory(readSentences(text), 'again'));
if (again.uas !== 100) throw new Error(`not the trees that were written: ${text}`);

const { epochs }: GraphOptions = graphOptions.parse({ epochs: 3 });
if (epochs !== 3 || graphOptions.safeParse({ epoch: 3 }).success) throw new Error('options are not checked');
