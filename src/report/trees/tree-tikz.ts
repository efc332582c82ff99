import type { PhraseTree } from '../../treebank/phrases/phrase-tree.ts';
import { type DependencyTree, isFilled, type Sentence } from '../../treebank/sentence.ts';
import { verdict } from '../svg.ts';
import { escapeLatex } from '../tables/latex-table.ts';
import { shownTags } from './tree-svg.ts';

/**
 * A dependency tree for the LaTeX package tikz-dependency. With `gold`, wrong arcs are red, those with wrong heads also
 * dashed, and the gold arcs for these stand below the words.
 */
export function treeToTikz(
  sentence: Sentence,
  tree: DependencyTree = sentence,
  gold?: DependencyTree,
): string {
  const rows = [sentence.forms, shownTags(sentence)].filter((row) => row === sentence.forms || isFilled(row));
  const lines = rows.map((row) => `${row.slice(1).map(cellText).join(' \\& ')} \\\\`);
  const arcs: string[] = [];
  for (let d = 1; d <= sentence.length; d++) {
    const found = gold === undefined ? 'right' : verdict(gold, tree, d);
    const style = found === 'wrong-head' ? 'red,dashed' : 'red';
    arcs.push(arc(tree, d, found === 'right' ? [] : [`edge style={${style}}`]));
    if (found === 'wrong-head') arcs.push(arc(gold!, d, ['edge below']));
  }
  return [
    '\\begin{dependency}',
    '\\begin{deptext}[column sep=1em]',
    ...lines,
    '\\end{deptext}',
    ...arcs.filter((line) => line !== ''),
    '\\end{dependency}\n',
  ].join('\n');
}

function cellText(text: string): string {
  const escaped = escapeLatex(text);
  // After the end of a row, LaTeX would read brackets as its height.
  return escaped.startsWith('[') || escaped.startsWith('*') ? `{}${escaped}` : escaped;
}

/** Empty for a token without a head. */
function arc({ heads, labels }: DependencyTree, d: number, options: readonly string[]): string {
  const style = options.length === 0 ? '' : `[${options.join(',')}]`;
  const label = labels[d] === '_' ? '' : escapeLatex(labels[d]!);
  const head = heads[d]!;
  if (head < 0 || head === d) return '';
  return head === 0 ? `\\deproot${style}{${d}}{${label}}` : `\\depedge${style}{${head}}{${d}}{${label}}`;
}

/** A phrase tree for the LaTeX package forest, its words in one row. */
export function phraseTreeToForest(tree: PhraseTree): string {
  let text = '';
  const pending: (PhraseTree | ']')[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node === ']') {
      text += ']';
      continue;
    }
    text += `${text === '' ? '' : ' '}[{${escapeLatex(node.label)}}`;
    if (node.form !== undefined) text += ` [{${escapeLatex(node.form)}},tier=word]`;
    pending.push(']', ...node.children.toReversed());
  }
  return `\\begin{forest}\n${text}\n\\end{forest}\n`;
}
