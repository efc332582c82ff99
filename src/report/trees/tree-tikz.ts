import { bracketVerdicts } from '../../evaluate/comparison/compare-phrases.ts';
import type { PhraseTree } from '../../treebank/phrases/phrase-tree.ts';
import { checkArcs, type DependencyTree, isFilled, type Sentence } from '../../treebank/sentence.ts';
import { verdict } from '../svg.ts';
import { escapeLatex, latexRow } from '../tables/latex-table.ts';
import { levelsOf } from './arc-layout.ts';
import { shownTags } from './tree-svg.ts';

/** Height of a level of arcs, in ex. */
const LEVEL = 3.5;

/**
 * Draws a tree for the LaTeX package tikz-dependency. With `gold`, wrong arcs are red; arcs with a wrong head are also
 * dashed, and the gold arc is drawn below the words.
 */
export function treeToTikz(
  sentence: Sentence,
  tree: DependencyTree = sentence,
  gold?: DependencyTree,
): string {
  for (const each of gold === undefined ? [tree] : [tree, gold]) checkArcs(each, sentence.length);
  const rows = [sentence.forms, shownTags(sentence)].filter((row) => row === sentence.forms || isFilled(row));
  const lines = rows.map(wordRow);
  const arcs: string[] = [];
  const levels = levelsOf(tree.heads);
  const isBelow = (d: number) => gold !== undefined && verdict(gold, tree, d) === 'wrong-head';
  const goldLevels = gold && levelsOf(gold.heads.map((head, d) => (d > 0 && isBelow(d) ? head : -1)));
  for (let d = 1; d <= sentence.length; d++) {
    const found = gold === undefined ? 'right' : verdict(gold, tree, d);
    const style = found === 'wrong-head' ? 'red,dashed' : 'red';
    const height = (level: number) => `edge height=${level * LEVEL}ex`;
    arcs.push(arc(tree, d, [height(levels[d]), ...(found === 'right' ? [] : [`edge style={${style}}`])]));
    if (found === 'wrong-head') arcs.push(arc(gold!, d, [height(goldLevels![d]), 'edge below']));
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

/** Makes a row of `deptext`, where `\&` ends a cell, so that an ampersand is written by its number. */
const wordRow = (words: readonly string[]): string =>
  latexRow(words.slice(1)).replace(/\\?&/g, (sign) => (sign === '&' ? '\\&' : '\\symbol{38}'));

/** Draws the arc to token d; returns an empty string for a token without a head. */
function arc({ heads, labels }: DependencyTree, d: number, options: readonly string[]): string {
  const style = `[${options.join(',')}]`;
  const label = labels[d] === '_' ? '' : escapeLatex(labels[d]);
  const head = heads[d];
  if (head < 0 || head === d) return '';
  return head === 0 ? `\\deproot${style}{${d}}{${label}}` : `\\depedge${style}{${head}}{${d}}{${label}}`;
}

/** Draws edges with right angles, which cross no labels, and all words on one baseline. */
const FOREST_STYLE = String.raw`for tree={parent anchor=south,child anchor=north,text height=1.6ex,text depth=.4ex,
  edge path={\noexpand\path[\forestoption{edge}](!u.parent anchor)-- +(0,-1ex)-|(.child anchor)\forestoption{edge label};}}`;

/**
 * Draws a phrase-structure tree for the LaTeX package forest, with its words in one row. With `gold`, the labels of wrong
 * brackets and wrong tags are red.
 */
export function phraseTreeToForest(tree: PhraseTree, gold?: PhraseTree): string {
  const wrong = gold && bracketVerdicts(gold, tree);
  let text = '';
  const pending: (PhraseTree | ']')[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node === ']') {
      text += ']';
      continue;
    }
    text += `${text === '' ? '' : ' '}[{${escapeLatex(node.label)}}${wrong?.has(node) ? ',text=red' : ''}`;
    if (node.form !== undefined) text += ` [{${escapeLatex(node.form)}},tier=word]`;
    pending.push(']', ...node.children.toReversed());
  }
  return `\\begin{forest}\n${FOREST_STYLE}\n${text}\n\\end{forest}\n`;
}
