import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { phraseTreeToSvg } from '../../../src/report/trees/phrase-svg.ts';
import { drawPhraseTree } from '../../../src/report/trees/tree-text.ts';
import type { PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';
import { phraseTrees } from '../../support/random-phrases.ts';

const leaf = (label: string, form: string): PhraseTree => ({ label, form, children: [] });
const node = (label: string, ...children: PhraseTree[]): PhraseTree => ({ label, children });
const tree = node(
  '',
  node('S', node('NP', leaf('DT', 'The'), leaf('NN', 'cat')), node('VP', leaf('VBD', 'sat')), leaf('.', '.')),
);

/** A tree of unary nodes, deeper than any call stack. */
function deepTree(depth: number): PhraseTree {
  let deep = leaf('X', 'x');
  for (let i = 0; i < depth; i++) deep = node('X', deep);
  return deep;
}

function placed(svg: string, kind: string): { x: number; y: number; text: string }[] {
  const text = new RegExp(`<text class="${kind}" x="([\\d.]+)" y="([\\d.]+)">(.*?)</text>`, 'g');
  return [...svg.matchAll(text)].map((match) => ({ x: +match[1]!, y: +match[2]!, text: match[3]! }));
}

/** A branch from `parentX`, which parts from its siblings at the height `bar` and goes down to the child at `x`. */
interface Branch {
  readonly parentX: number;
  readonly bar: number;
  readonly x: number;
  readonly end: number;
}

function branchesOf(svg: string): Branch[] {
  const paths = svg.matchAll(/class="arc" d="M([\d.]+),([\d.]+)V([\d.]+)(?:H([\d.]+)V([\d.]+))?"/g);
  return [...paths].map(([, parentX, , bar, x = parentX, end = bar]) => ({
    parentX: Number(parentX),
    bar: Number(bar),
    x: Number(x),
    end: Number(end),
  }));
}

it('a phrase tree in a right-to-left script is drawn from right to left', () => {
  const words = ['\u0630\u0647\u0628', '\u0627\u0644\u0648\u0644\u062f'];
  const svg = phraseTreeToSvg(node('S', ...words.map((form) => leaf('X', form))));
  const [first, second] = words.map((form) => placed(svg, 'word').find(({ text }) => text === form)!.x);
  expect(first).toBeGreaterThan(second!);
});

describe('drawPhraseTree', () => {
  it('refuses a drawing that would fill the memory', () => {
    expect(() => drawPhraseTree(deepTree(20_000))).toThrow(
      'a drawing of more than 100 million characters, too large for text',
    );
  });

  it('draws one node per line, words beside their tags, and a dot for a node without a label', () => {
    expect(drawPhraseTree(tree)).toBe(
      [
        '·',
        '└─ S',
        '   ├─ NP',
        '   │  ├─ DT The',
        '   │  └─ NN cat',
        '   ├─ VP',
        '   │  └─ VBD sat',
        '   └─ . .',
        '',
      ].join('\n'),
    );
  });

  it('draws with ASCII characters only', () => {
    expect(drawPhraseTree(tree.children[0]!, { unicode: false })).toBe(
      ['S', '|- NP', '|  |- DT The', '|  `- NN cat', '|- VP', '|  `- VBD sat', '`- . .', ''].join('\n'),
    );
  });

  it('draws trees of any depth', () => {
    expect(drawPhraseTree(deepTree(3000)).trimEnd().split('\n')).toHaveLength(3001);
  });
});

describe('phraseTreeToSvg', () => {
  const svg = phraseTreeToSvg(tree, 'A tree');
  const byText = new Map(placed(svg, 'label').map((label) => [label.text, label]));

  it('writes the words in a row from left to right, and every node once', () => {
    const words = placed(svg, 'word');
    expect(words.map(({ text }) => text)).toEqual(['The', 'cat', 'sat', '.']);
    expect(new Set(words.map(({ y }) => y)).size).toBe(1);
    expect(words.map(({ x }) => x)).toEqual(words.map(({ x }) => x).sort((a, b) => a - b));
    expect([...byText.keys()]).toEqual(['·', 'S', 'NP', 'DT', 'NN', 'VP', 'VBD', '.']);
  });

  it('puts a node above its highest child, half-way between its outer children, with a line to each', () => {
    const [s, np, end] = ['S', 'NP', '.'].map((label) => byText.get(label)!);
    expect(s!.y).toBeLessThan(np!.y);
    expect(np!.y).toBeLessThan(end!.y);
    expect(Math.abs(s!.x - (np!.x + end!.x) / 2)).toBeLessThan(0.2);
    expect(svg.match(/class="arc"/g)).toHaveLength(7);
  });

  it('draws no branch over another node’s branches or over a label', () => {
    fc.assert(
      fc.property(phraseTrees, (random) => {
        const drawing = phraseTreeToSvg(random);
        const branches = branchesOf(drawing);
        expect(branches).toHaveLength(placed(drawing, 'label').length - 1);
        for (const { x, bar, end } of branches) {
          const crossed = branches.filter((other) => other.bar !== bar && bar < other.bar && other.bar < end);
          for (const other of crossed) {
            expect(x > Math.min(other.x, other.parentX) && x < Math.max(other.x, other.parentX)).toBe(false);
          }
          for (const label of placed(drawing, 'label')) {
            if (Math.abs(label.x - x) < 3) expect(label.y > bar && label.y < end).toBe(false);
          }
        }
      }),
    );
  });

  it('escapes characters reserved in XML', () => {
    const escaped = phraseTreeToSvg(leaf('<', '&'), '"');
    expect(escaped).toContain('<title>&#34;</title>');
    expect(placed(escaped, 'label')[0]!.text).toBe('&#60;');
    expect(placed(escaped, 'word')[0]!.text).toBe('&#38;');
  });

  it('draws trees of any depth', () => {
    expect(placed(phraseTreeToSvg(deepTree(20_000)), 'label')).toHaveLength(20_001);
  });
});
