import type { PhraseTree } from '../../treebank/brackets/phrase-tree.ts';
import { visible } from '../../visible.ts';
import { checkCells } from '../tables/cells.ts';

/**
 * A phrase-structure tree for a terminal, one node a line, a word beside its tag:
 *
 *  S
 *  ├─ NP
 *  │  ├─ DT The
 *  │  └─ NN cat
 *  └─ VP
 *     └─ VBD sat
 *
 * A node without a label is drawn as `·`. `unicode: false` draws with ASCII. Throws `InputError` where the
 * drawing would not fit in `MOST_CELLS`.
 */
export function drawPhraseTree(
  tree: PhraseTree,
  { unicode = true }: { readonly unicode?: boolean | undefined } = {},
): string {
  const [through, last, pass, nameless] = unicode ? ['├─ ', '└─ ', '│  ', '·'] : ['|- ', '`- ', '|  ', '.'];
  const lines: string[] = [];
  let cells = 0;
  const open = [{ node: tree, lead: '', indent: '' }];
  while (open.length > 0) {
    const { node, lead, indent } = open.pop()!;
    const form = node.form === undefined ? '' : ` ${node.form}`;
    cells += lead.length + node.label.length + form.length;
    checkCells(cells);
    lines.push(visible(`${lead}${node.label || nameless}${form}`));
    for (let i = node.children.length - 1; i >= 0; i--) {
      const isLast = i === node.children.length - 1;
      open.push({
        node: node.children[i]!,
        lead: indent + (isLast ? last : through),
        indent: indent + (isLast ? '   ' : pass),
      });
    }
  }
  return lines.map((line) => `${line}\n`).join('');
}
