import { type BracketVerdict, bracketVerdicts, wordsOf } from '../../evaluate/comparison/compare-phrases.ts';
import { nodesOf, type PhraseTree } from '../../treebank/phrases/phrase-tree.ts';
import { visible } from '../../visible.ts';
import { wrongMark } from '../svg.ts';
import { checkCells } from '../tables/text-width.ts';

/**
 * A phrase-structure tree for a terminal, one node a line, a word beside its tag:
 *
 * ```text
 *  S
 *  ├─ NP
 *  │  ├─ DT The
 *  │  └─ NN cat
 *  └─ VP
 *     └─ VBD sat
 * ```
 *
 * A node without a label is drawn as `·`. `unicode: false` draws in ASCII. With `gold`, errors are marked and missing
 * brackets listed below the tree. Throws `InputError` if the drawing would exceed `MOST_CELLS`.
 */
export function drawPhraseTree(
  tree: PhraseTree,
  {
    unicode = true,
    gold,
  }: { readonly unicode?: boolean | undefined; readonly gold?: PhraseTree | undefined } = {},
): string {
  const verdicts = gold && bracketVerdicts(gold, tree);
  const markOf = (node: PhraseTree) => {
    const verdict = verdicts?.get(node);
    return verdict === undefined
      ? ''
      : ` ${unicode ? wrongMark : 'x'}${verdict === 'crossing' ? ' crossing' : ''}`;
  };
  const [through, last, pass, nameless] = unicode ? ['├─ ', '└─ ', '│  ', '·'] : ['|- ', '`- ', '|  ', '.'];
  const lines: string[] = [];
  let cells = 0;
  const open = [{ node: tree, lead: '', indent: '' }];
  while (open.length > 0) {
    const { node, lead, indent } = open.pop()!;
    const form = node.form === undefined ? '' : ` ${node.form}`;
    cells += lead.length + node.label.length + form.length;
    checkCells(cells);
    lines.push(visible(`${lead}${node.label || nameless}${form}${markOf(node)}`));
    for (let i = node.children.length - 1; i >= 0; i--) {
      const isLast = i === node.children.length - 1;
      open.push({
        node: node.children[i]!,
        lead: indent + (isLast ? last : through),
        indent: indent + (isLast ? '   ' : pass),
      });
    }
  }
  const missing = gold === undefined ? [] : missingLines(gold, verdicts!, nameless!);
  return [...lines, ...missing].map((line) => `${line}\n`).join('');
}

function missingLines(gold: PhraseTree, verdicts: ReadonlyMap<PhraseTree, BracketVerdict>, nameless: string) {
  return nodesOf(gold)
    .filter((node) => verdicts.get(node) === 'missing')
    .map((node) => {
      const words = wordsOf(node).map(({ form }) => form);
      return visible(`missing: ${node.label || nameless} ${words.join(' ')}`);
    });
}
