import { checkFields } from '../../checks.ts';
import { InputError } from '../../errors.ts';
import { type BracketVerdict, bracketVerdicts, wordsOf } from '../../evaluate/comparison/compare-phrases.ts';
import { nodesOf, type PhraseTree } from '../../treebank/phrases/phrase-tree.ts';
import { checkArcs, type DependencyTree, isFilled, type Sentence } from '../../treebank/sentence.ts';
import { headsFirst } from '../../treebank/tree.ts';
import { visible } from '../../visible.ts';
import { verdict, wrongMark } from '../svg.ts';
import { checkCells, pad, shrink, totalWidth, truncate, widest } from '../tables/text-width.ts';
import { shownTags } from './tree-svg.ts';

export interface TreeTextOptions {
  /** Width in cells: narrows the tree, then shortens words and labels, down to four cells. Default: no limit. */
  readonly width?: number | undefined;
  /** Draws with box-drawing characters; false: ASCII. Default: true. */
  readonly unicode?: boolean | undefined;
  /** The gold tree: its label and head are shown beside each wrong token. */
  readonly gold?: DependencyTree | undefined;
}

/**
 * Draws a dependency tree for a terminal, one token a line in the order of the sentence: number, form, tag,
 * relation.
 *
 * ```text
 *     ┌── 1  The  DET    det
 *   ┌─┴── 2  cat  NOUN   nsubj
 *  ─┼──── 3  sat  VERB   root
 *   └──── 4  .    PUNCT  punct
 * ```
 *
 * Each head has a stem, a vertical line. A token's line runs from its head's stem (or the margin: the artificial
 * root) to the token, and joins the token's own stem in ┬, ┴ or ┼. In non-projective trees, a line is interrupted
 * where it crosses another stem: ─│─. A token without a head (−1) has no line to its left.
 *
 * @throws UsageError for a tree of another sentence
 * @throws InputError if the heads have a cycle or the drawing would exceed `MOST_CELLS`
 */
export function drawTree(
  sentence: Sentence,
  tree: DependencyTree = sentence,
  options: TreeTextOptions = {},
): string {
  checkFields<keyof TreeTextOptions>('drawTree', options, ['width', 'unicode', 'gold']);
  const { width = Number.POSITIVE_INFINITY, unicode = true, gold } = options;
  for (const each of gold === undefined ? [tree] : [tree, gold]) checkArcs(each, sentence.length);
  const glyphs = unicode ? boxGlyphs : asciiGlyphs;
  const stems = placeStems(tree.heads, sentence.length);
  const digits = String(sentence.length).length;
  const numbers = sentence.forms.map((_, token) => String(token).padStart(digits));
  const annotation = [shownTags(sentence), tree.labels].filter(isFilled);
  const texts = [numbers, sentence.forms, ...annotation].map((column) => column.slice(1).map(visible));
  if (gold !== undefined) texts.push(corrections(gold, tree, glyphs.wrong));
  const wanted = texts.map(widest);
  const [wide, narrow] = [2, 1].map((spacing) => spacing * stems.columns + 3);
  const spacing = wide! + totalWidth(wanted) > width ? 1 : 2;
  const treeWidth = spacing === 2 ? wide! : narrow!;
  const widths = shrink(wanted, width - treeWidth);
  checkCells(sentence.length * (treeWidth + totalWidth(widths)));
  return drawLines(tree.heads, sentence.length, stems, spacing, glyphs)
    .map((line, row) => {
      const cells = texts.map((column, i) =>
        pad(truncate(column[row], widths[i], glyphs.ellipsis), widths[i]),
      );
      return `${`${line} ${cells.join('  ')}`.trimEnd()}\n`;
    })
    .join('');
}

interface Glyphs {
  /** Joints by the sides they connect: up 1, down 2, left 4, right 8. */
  readonly joints: string;
  readonly horizontal: string;
  readonly ellipsis: string;
  readonly wrong: string;
}

const boxGlyphs: Glyphs = { joints: ' ╵╷│╴┘┐┤╶└┌├─┴┬┼', horizontal: '─', ellipsis: '…', wrong: wrongMark };
const asciiGlyphs: Glyphs = { joints: " '.|-'.+-`.|-+++", horizontal: '-', ellipsis: '~', wrong: 'x' };
const up = 1;
const down = 2;
const left = 4;
const right = 8;

/** Draws the tree alone, one line per token, all equally wide: margin, columns of stems, and two cells to the token. */
function drawLines(heads: Int32Array, n: number, stems: Stems, spacing: number, glyphs: Glyphs): string[] {
  const { columns, column, top, bottom } = stems;
  const end = spacing * columns + 2;
  const position = (token: number) => 1 + spacing * column[token];
  const rows: string[][] = [];
  for (let d = 1; d <= n; d++) {
    const h = heads[d];
    const own = column[d] < 0 ? end : position(d);
    const start = h > 0 ? position(h) : h === 0 ? 0 : own;
    rows.push([...' '.repeat(start), ...glyphs.horizontal.repeat(end - start)]);
  }
  for (let h = 1; h <= n; h++) {
    if (column[h] < 0) continue;
    for (let row = top[h]; row <= bottom[h]; row++) {
      const vertical = (row > top[h] ? up : 0) | (row < bottom[h] ? down : 0);
      const horizontal = row === h ? right | (heads[h] < 0 ? 0 : left) : heads[row] === h ? right : 0;
      rows[row - 1][position(h)] = glyphs.joints[vertical | horizontal];
    }
  }
  return rows.map((row) => row.join('').padEnd(end));
}

/** Returns `✗ obl of 4` for a wrong token: its gold label and head (0: the artificial root). */
function corrections(gold: DependencyTree, tree: DependencyTree, mark: string): string[] {
  const texts = gold.labels.map((label, d) => {
    return verdict(gold, tree, d) === 'right' ? '' : visible(`${mark} ${label} of ${gold.heads[d]}`);
  });
  return texts.slice(1);
}

/** Positions of the stems: vertical lines from a head's first dependent (or itself) to its last. */
interface Stems {
  readonly columns: number;
  /** By token, its stem's column from the left; −1 without dependents. */
  readonly column: Int32Array;
  /** By token, the first and last row of its stem. */
  readonly top: Int32Array;
  readonly bottom: Int32Array;
}

/** Places each stem to the right of its head's stem, without overlaps in a column; throws `InputError` for a cycle. */
function placeStems(heads: Int32Array, n: number): Stems {
  const top = Int32Array.from({ length: n + 1 }, (_, token) => token);
  const bottom = top.slice();
  for (let d = 1; d <= n; d++) {
    const h = heads[d];
    if (h <= 0) continue;
    top[h] = Math.min(top[h], d);
    bottom[h] = Math.max(bottom[h], d);
  }
  const order = headsFirst(heads);
  const reached = new Set(order);
  const unreached = top.findIndex((_, token) => token > 0 && !reached.has(token));
  if (unreached > 0)
    throw new InputError(`token ${unreached} is on or below a cycle, expected a tree to draw`);
  const column = new Int32Array(n + 1).fill(-1);
  const taken: number[][] = [];
  for (const h of order) {
    if (top[h] === bottom[h]) continue;
    let c = heads[h] > 0 ? column[heads[h]] + 1 : 0;
    while (taken[c]?.some((other) => top[h] <= bottom[other] && top[other] <= bottom[h])) c++;
    taken[c] ??= [];
    taken[c].push(h);
    column[h] = c;
  }
  return { columns: taken.length, column, top, bottom };
}

/**
 * Draws a phrase-structure tree for a terminal, one node a line, a word beside its tag:
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
 * brackets listed below the tree.
 *
 * @throws InputError if the drawing would exceed `MOST_CELLS`
 */
export function drawPhraseTree(
  tree: PhraseTree,
  options: { readonly unicode?: boolean | undefined; readonly gold?: PhraseTree | undefined } = {},
): string {
  checkFields('drawPhraseTree', options, ['unicode', 'gold']);
  const { unicode = true, gold } = options;
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
        node: node.children[i],
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
