/** `node dist/bench/pruning.js MODEL TREEBANK`: candidate heads per token of a higher-order graph parser, and the share of gold heads that pruning loses. */
import { GraphParser } from '../parsers/graph/graph-parser.ts';
import { loadParser } from '../parsers/saved-parser.ts';
import { NO_ARC } from '../src/decode/higher-order/candidate-arcs.ts';
import { openTreebank } from '../src/treebank/reading/treebank-file.ts';
import { projectivize } from '../src/treebank/tree.ts';

const [model, treebank] = process.argv.slice(2);
const parser = await loadParser(model);
if (!(parser instanceof GraphParser)) throw new TypeError(`${model} is not a graph parser`);
const counts = { tokens: 0, candidates: 0, lost: 0, lostOfProjective: 0 };
for await (const sentence of await openTreebank(treebank, { expect: 'heads' })) {
  const arcs = parser.candidates(sentence);
  if (arcs === undefined) throw new TypeError(`${model} is a first-order parser, which prunes nothing`);
  const projective = sentence.heads.slice();
  projectivize(projective);
  counts.tokens += sentence.length;
  counts.candidates += arcs.count - 1;
  for (let d = 1; d <= sentence.length; d++) {
    if (arcs.arc(sentence.heads[d], d) === NO_ARC) counts.lost++;
    if (arcs.arc(projective[d], d) === NO_ARC) counts.lostOfProjective++;
  }
}
const share = (lost: number) => `${((100 * lost) / counts.tokens).toFixed(3)}%`;
process.stdout.write(
  `${(counts.candidates / counts.tokens).toFixed(2)} heads per token; lost: ${share(counts.lost)} of gold heads, ${share(counts.lostOfProjective)} of the heads of projectivized trees\n`,
);
