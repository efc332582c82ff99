/** What a user of the package may write in TypeScript: two parsers are trained, saved, loaded, and vote. */
import {
  Catalogue,
  equalWeights,
  evaluate,
  graph,
  graphOptions,
  loadParser,
  ModelWriter,
  openTreebank,
  type Paradigm,
  type Parser,
  parseFile,
  readModelFile,
  type Treebank,
  transition,
  transitionOptions,
  Vote,
  writeModelFile,
} from 'parliament';

async function sample(part: string): Promise<Treebank & { readonly name: string }> {
  const catalogue = await Catalogue.open();
  const entry = catalogue.entry('sample');
  const file = entry.files.find((each) => each.part === part);
  if (file === undefined) throw new Error(`the sample has no part ${part}`);
  return openTreebank(catalogue.pathOf(entry, file));
}

async function trainAndLoad<Options>(paradigm: Paradigm<Options>, options: Options): Promise<Parser> {
  const parser = await paradigm.train(await sample('train'), options, { seed: 1, jobs: 1 });
  const path = `${paradigm.name}.model`;
  const writer = new ModelWriter();
  writer.header.paradigm = paradigm.name;
  parser.save(writer);
  writeModelFile(path, writer);
  return loadParser(readModelFile(path));
}

const parsers = [
  await trainAndLoad(graph, graphOptions.parse({ epochs: 2 })),
  await trainAndLoad(transition, transitionOptions.parse({ epochs: 2 })),
];
const vote = new Vote(equalWeights(parsers.length), { method: 'reparse-cle' });
const dev = await sample('dev');
for await (const sentence of dev) {
  const trees = parsers.map((parser) => parser.parse(sentence));
  const { heads, labels }: { heads: Int32Array; labels: readonly string[] } = vote.decide({
    sentence,
    trees,
  });
  if (heads.length !== labels.length) throw new Error('heads and labels of different lengths');
}
await parseFile(readModelFile('graph.model'), dev.name, 'parsed.conllu', { jobs: 2 });
const { uas, las } = await evaluate(dev, await openTreebank('parsed.conllu'));
if (!(uas > 50 && las > 40)) throw new Error(`too low: UAS ${uas}, LAS ${las}`);
