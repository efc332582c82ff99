/** `node dist/bench/pruning.js MODEL TREEBANK`: how many heads a graph parser of a higher order chooses from, and how many right ones are not among them. */
import { GraphParser } from '../parsers/graph/graph-parser.ts';
import { loadParser } from '../parsers/saved-parser.ts';
import { NO_ARC } from '../src/decode/higher-order/candidate-arcs.ts';
import { openTreebank } from '../src/treebank/reading/treebank-file.ts';
import { projectivize } from '../src/treebank/tree.ts';

const [model, treebank] = process.argv.slice(2);
const parser = await loadParser(model);
if (!(parser instanceof GraphParser)) throw new TypeError(`${model} is no graph parser`);
const counts = { tokens: 0, candidates: 0, lost: 0, lostOfProjective: 0 };
for await (const sentence of await openTreebank(treebank, { expect: 'heads' })) {
  const arcs = parser.candidates(sentence);
  if (arcs === undefined) throw new TypeError(`${model} scores every arc alone`);
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
  `${(counts.candidates / counts.tokens).toFixed(2)} heads per token; lost: ${share(counts.lost)} of the right ones, ${share(counts.lostOfProjective)} of those of trees made projective\n`,
);
