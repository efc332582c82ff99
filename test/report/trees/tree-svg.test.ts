import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { stacked, svgDocument } from '../../../src/report/svg.ts';
import { comparedPicture, treePicture, treeToSvg } from '../../../src/report/trees/tree-svg.ts';
import { randomHeads } from '../../support/random-trees.ts';
import { sentence } from '../../support/sentences.ts';

const numbers = '(-?[\\d.]+)';

interface DrawnArc {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

function arcsOf(svg: string): DrawnArc[] {
  const arc = new RegExp(
    `class="arc" d="M${numbers},${numbers}V${numbers}Q${numbers},${numbers} .*?Q${numbers},`,
    'g',
  );
  return [...svg.matchAll(arc)].map((match) => ({ left: +match[1]!, right: +match[6]!, y: +match[5]! }));
}

function textsOf(svg: string, kind: string): { x: number; y: number; text: string }[] {
  const text = new RegExp(`<text class="${kind}" x="${numbers}" y="${numbers}">(.*?)</text>`, 'g');
  return [...svg.matchAll(text)].map((match) => ({ x: +match[1]!, y: +match[2]!, text: match[3]! }));
}

const randomSentences = randomHeads(1, 30).map((heads) => {
  const n = heads.length - 1;
  const words = Array.from({ length: n }, (_, i) => 'word'.repeat(1 + (i % 3)));
  return sentence(words.join(' '), heads.subarray(1).join(' '), {
    labels: words.map(() => 'relation').join(' '),
  });
});

describe('treeToSvg', () => {
  it('draws every word, label and arrow once, and an arc for each word except the root', () => {
    fc.assert(
      fc.property(randomSentences, (tree) => {
        const svg = treeToSvg(tree);
        expect(textsOf(svg, 'word').map(({ text }) => text)).toEqual(tree.forms.slice(1));
        expect(textsOf(svg, 'label')).toHaveLength(tree.length);
        expect(svg.match(/class="arrow"/g)).toHaveLength(tree.length);
        expect(arcsOf(svg)).toHaveLength(tree.heads.filter((h) => h > 0).length);
      }),
    );
  });

  it('separates words by their widths, and draws overlapping arcs at different heights', () => {
    fc.assert(
      fc.property(randomSentences, (tree) => {
        const svg = treeToSvg(tree);
        const words = textsOf(svg, 'word');
        for (let i = 1; i < words.length; i++) {
          const letters = words[i - 1]!.text.length + words[i]!.text.length;
          expect(words[i]!.x - words[i - 1]!.x).toBeGreaterThan(letters * 4);
        }
        const arcs = arcsOf(svg);
        for (const [i, a] of arcs.entries()) {
          for (const b of arcs.slice(i + 1)) {
            const apart = a.right <= b.left || b.right <= a.left;
            if (!apart) expect(a.y).not.toBe(b.y);
            if (a.left < b.left && b.right < a.right) expect(a.y).toBeLessThan(b.y);
          }
        }
      }),
    );
  });

  it('leaves room for the label of each arc between its ends', () => {
    const svg = treeToSvg(sentence('a b', '2 0', { labels: 'averylongrelation root' }));
    const [arc] = arcsOf(svg);
    expect(arc!.right - arc!.left).toBeGreaterThan('averylongrelation'.length * 6);
  });

  it('escapes characters reserved in XML and replaces those that XML forbids', () => {
    const svg = treeToSvg(sentence('<b>&"\u0001\ud800', '0', { labels: 'a<b' }));
    expect(textsOf(svg, 'word')[0]!.text).toBe('&#60;b&#62;&#38;&#34;\ufffd\ufffd');
    expect(svg).toContain('>a&#60;b</text>');
  });

  it('describes the tree in words, and has the sentence’s id as its title', () => {
    const svg = treeToSvg({ ...sentence('cats sleep', '2 0', { labels: 'nsubj root' }), id: 's1' });
    expect(svg).toContain('<title>s1</title>');
    expect(svg).toContain('<desc>cats sleep: cats (1) is nsubj of sleep (2), sleep (2) is root</desc>');
  });

  it('draws a sentence in a right-to-left script from right to left', () => {
    const svg = treeToSvg(sentence('הילדה קוראת ספר', '2 0 2', { labels: 'nsubj root obj' }));
    const places = textsOf(svg, 'word').map(({ x }) => x);
    expect(places).toEqual(places.toSorted((a, b) => b - a));
    expect(places.every((x) => x > 0)).toBe(true);
    expect(arcsOf(svg).every(({ left, right }) => left < right)).toBe(true);
  });

  it('draws heads that do not form a tree, without arcs for tokens with no head or themselves as head', () => {
    const svg = treeToSvg(sentence('a b c d', '-1 3 2 4'));
    expect(arcsOf(svg)).toHaveLength(2);
    expect(svg.match(/class="arrow"/g)).toHaveLength(2);
  });

  it('refuses a tree of another sentence', () => {
    expect(() => treeToSvg(sentence('a b', '2 0'), sentence('a', '0'))).toThrow(
      new UsageError('a tree with 2 heads and 2 labels for a sentence of 2 tokens, expected 3 of each'),
    );
  });
});

describe('comparedPicture', () => {
  const gold = sentence('A hearing on it', '2 0 4 2', { labels: 'det root case nmod' });
  const tree = sentence('A hearing on it', '2 0 2 2', { labels: 'amod root case nmod' });
  const svg = svgDocument(comparedPicture(gold, { gold, tree }));

  it('draws the gold tree above the other one, with each word at the same place', () => {
    expect(textsOf(svg, 'caption').map(({ text }) => text)).toEqual(['gold', 'predicted']);
    const words = textsOf(svg, 'word').map(({ x, text }) => [x, text]);
    expect(words.slice(0, 4)).toEqual(words.slice(4));
    expect(svg).toMatch(
      /<g transform="translate\(0,0\)">.*gold.*<g transform="translate\(0,\d+\)">.*predicted/s,
    );
  });

  it('marks errors in the predicted tree only, and not only by colour', () => {
    const labels = textsOf(svg, 'label').map(({ text }) => text);
    expect(labels.sort()).toEqual(['case', 'det', 'nmod', 'root', 'nmod', 'root', '✗ amod', '✗ case'].sort());
    expect(svg.match(/<g class="wrong-label">/g)).toHaveLength(2); // the line and its label
    expect(svg.match(/<g class="wrong-head">/g)).toHaveLength(2);
  });
});

describe('stacked', () => {
  const pictures = ['0', '2 0', '0 1 2'].map((heads) =>
    treePicture(sentence('word '.repeat(heads.split(' ').length).trim(), heads)),
  );

  it('puts pictures below each other without overlap', () => {
    const all = stacked(pictures);
    const offsets = [...svgDocument(all).matchAll(/translate\(0,(\d+)\)/g)].map(([, y]) => Number(y));
    expect(offsets).toHaveLength(3);
    offsets.forEach((y, i) => {
      expect(y + pictures[i].height).toBeLessThanOrEqual(offsets[i + 1] ?? all.height);
    });
    expect(all.width).toBe(Math.max(...pictures.map(({ width }) => width)));
  });

  it('returns a single picture unchanged', () => {
    expect(stacked([pictures[0]])).toBe(pictures[0]);
  });
});
