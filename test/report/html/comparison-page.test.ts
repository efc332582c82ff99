import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { compare } from '../../../src/evaluate/comparison/compare.ts';
import { comparisonPage } from '../../../src/report/html/comparison-page.ts';
import type { SentenceData } from '../../../src/report/html/sentences/sentence-data.ts';
import { figures } from '../../../src/report/tables/table.ts';
import { hostile, pageComparison, pageGold, pageOutputs, pageParsers } from '../../support/page-fixture.ts';
import { sentence, treebank } from '../../support/sentences.ts';

const { comparison, sentences } = await pageComparison();
const page = await comparisonPage(comparison, sentences);

describe('comparisonPage', () => {
  test('makes a single file that loads no other', () => {
    expect(page).not.toMatch(/\ssrc=|<link(?! rel="icon" href="data:,")|@import|url\(|\bimport\(|\bfetch\(/);
    expect([...page.matchAll(/href="(.*?)"/g)].filter(([, to]) => !/^(#|data:,$)/.test(to))).toEqual([]);
  });

  test('escapes words, labels, tags, ids and parser names', () => {
    expect(page).not.toContain(hostile);
    expect(page).not.toContain('<i>best');
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script/g)).toHaveLength(2);
  });

  test('names the compared file in its title, unless another title is given', async () => {
    expect(page).toContain('<title>2 parsers compared on gold.conllu</title>');
    expect(page).toContain('4 sentences, 15 tokens. Gold: <bdi>gold.conllu</bdi>');
    expect(await comparisonPage({ ...comparison, gold: '/home/me/gold.conllu' }, sentences)).not.toContain(
      '/home/me',
    );
    expect(await comparisonPage(comparison, sentences, { title: 'A < B' })).toContain(
      '<title>A &#60; B</title>',
    );
  });

  test('shows how many tokens the punctuation rule leaves out, and the warnings of the evaluation', async () => {
    const { comparison, sentences } = await compare(pageGold, pageOutputs, {
      punctuation: 'upos',
      rounds: 10,
    });
    const scored = await comparisonPage(comparison, sentences);
    expect(scored).toContain('14 tokens, scored.');
    expect(scored).toContain('faint: not scored');
    expect(page).not.toContain('faint: not scored');
    expect(scored).toContain('tokens with UPOS PUNCT are left out; 1 token left out.');
    const roots = treebank('roots', sentence('a b', '0 0', { labels: 'root root' }));
    const tree = treebank('tree', sentence('a b', '2 0', { labels: 'dep root' }));
    const warned = await compare(tree, [tree, roots], { names: ['tree', 'roots'], rounds: 10 });
    expect(await comparisonPage(warned.comparison, warned.sentences)).toContain(
      '<li><bdi>roots</bdi>: 1 of 1 predicted trees are ill-formed',
    );
  });

  test('leaves out labelled figures if gold has no labels, and breakdowns that were not requested', async () => {
    const bare = treebank('bare', sentence('a b', '2 0'));
    const { comparison, sentences } = await compare(bare, [bare, bare], { by: [], rounds: 10 });
    const unlabelled = await comparisonPage(comparison, sentences);
    expect(unlabelled).toContain('>UAS</th>');
    expect(unlabelled).not.toContain('>LAS</th>');
    expect(unlabelled).not.toContain('>NaN<');
    expect(unlabelled).not.toContain('id="breakdowns"');
  });

  test('puts additional sections, with their tables and notes, before the sentences', async () => {
    const table = {
      columns: [{ key: 'pair', title: 'pair' }, figures('agreement', 'agreement', 1)],
      rows: [['a & b', 91.25]],
    };
    const section = {
      title: 'The vote',
      link: 'Vote',
      tables: [{ title: 'Agreement', table, notes: ['Of all < tokens.'] }],
    };
    const text = await comparisonPage(comparison, sentences, { sections: [section] });
    expect(text).toContain('<li><a href="#section-1">Vote</a></li>');
    const at = text.indexOf('<h2 id="section-1-title">The vote</h2>');
    expect(at).toBeGreaterThan(0);
    expect(at).toBeLessThan(text.indexOf('id="sentences"'));
    expect(text).toContain('<caption>Agreement</caption>');
    expect(text).toContain('<bdi>a &#38; b</bdi></th><td class="figure">91.3</td>');
    expect(text).toContain('<p class="note">Of all &#60; tokens.</p>');
  });

  test('colours pairs of parsers more strongly the more they agree, and explains this in a legend', async () => {
    const trees = ['2 0 2', '2 0 1', '3 0 2'].map((heads, i) =>
      treebank(`parser-${i}`, sentence('a b c', heads, { labels: 'x root x' })),
    );
    const right = treebank('right', sentence('a b c', '2 0 2', { labels: 'x root x' }));
    const three = await compare(right, trees, { rounds: 10 });
    const text = await comparisonPage(three.comparison, three.sentences);
    const [matrix, legend] = text
      .split('<caption>Agreement of each pair</caption>')[1]
      .split('<p class="legend shaded">');
    const shades = new Map(
      [...matrix.matchAll(/--shade: (\d+)%">(?:<a [^>]*>)?([\d.]+)/g)].map(([, shade, share]) => [
        share,
        Number(shade),
      ]),
    );
    expect(Object.fromEntries(shades)).toEqual({ '66.67': 30, '33.33': 5 });
    expect(legend).toMatch(
      /^<span style="--shade: 5%">33\.33<\/span> … <span style="--shade: 30%">66\.67<\/span> the stronger the colour, the more they agree/,
    );
  });

  test('lists parsers with identical trees', async () => {
    const [first] = pageOutputs;
    const { comparison, sentences } = await compare(pageGold, [first, first], {
      names: ['x', 'y'],
      rounds: 10,
    });
    expect(await comparisonPage(comparison, sentences)).toContain('<li>x and y have identical trees</li>');
  });

  test('shows only the most frequent buckets of a breakdown with thousands of buckets', async () => {
    const heads = Array.from({ length: 3000 }, (_, d) => d).join(' ');
    const chain = treebank('chain', sentence('word '.repeat(3000).trimEnd(), heads));
    const { comparison, sentences } = await compare(chain, [chain, chain], { by: ['depth'], rounds: 2 });
    const text = await comparisonPage(comparison, sentences);
    const [, depths] = text.split('<caption>By distance to the root</caption>');
    expect(depths.split('</table>')[0].match(/<th scope="row"/g)).toHaveLength(200);
    expect(depths).toContain('<p class="note">… and 2800 more, less frequent.</p>');
  });

  test('warns if there are too few rounds for any difference to be significant', async () => {
    const note = 'With 10 rounds no corrected p can be below 0.0909: no difference can be significant.';
    const few = await compare(pageGold, pageOutputs, { rounds: 10 });
    expect(await comparisonPage(few.comparison, few.sentences)).toContain(note);
    const more = await compare(pageGold, pageOutputs, { rounds: 19 });
    expect(await comparisonPage(more.comparison, more.sentences)).not.toContain('can be significant');
  });

  test('calls differences significant, never real', () => {
    expect(page).toContain('Are the differences significant?');
    expect(page).toContain('<th scope="col">Significant</th>');
    expect(page).not.toMatch(/\breal\b/i);
  });

  test('has a table for each tested metric', async () => {
    const metrics = ['root', 'complete'] as const;
    const { comparison, sentences } = await compare(pageGold, pageOutputs, { metrics, rounds: 10 });
    const text = await comparisonPage(comparison, sentences);
    expect(text).toContain('<caption>Differences in root</caption>');
    expect(text).toContain('<caption>Pairs by complete, percentage points</caption>');
    expect(text).not.toContain('McNemar p');
  });

  test('includes only the first and the listed sentences of a large treebank, with a note', async () => {
    const long = 'word '.repeat(1500).trimEnd();
    const heads = Array.from({ length: 1500 }, (_, d) => d).join(' ');
    const plain = sentence(long, heads, { labels: long });
    const [right, wrong] = ['x', 'y'].map((label) => sentence('named', '0', { labels: label }));
    const tooLong = sentence(`${long} ${long}`, Array.from({ length: 3000 }, (_, d) => d).join(' '), {
      labels: `${long} ${long}`,
    });
    const gold = treebank('gold', tooLong, ...Array(250).fill(plain), right, right, right, right, plain);
    const bad = treebank('bad', tooLong, ...Array(250).fill(plain), wrong, wrong, wrong, wrong, plain);
    const { comparison, sentences } = await compare(gold, [gold, bad], { rounds: 2, limit: 2, by: [] });
    const text = await comparisonPage(comparison, sentences, { limit: 2 });
    expect(text).toContain('256 sentences, 379,504 tokens.');
    const { sentences: here, total } = JSON.parse(
      text.split('id="sentence-data">')[1].split('</script>')[0],
    ) as SentenceData;
    const numbers = here.map(({ number }, index) => number ?? index + 1);
    expect(total).toBe(256);
    expect(numbers).toEqual([...Array.from({ length: 198 }, (_, i) => i + 2), 252, 253, 254]);
    expect(text.replaceAll('\n', ' ')).toContain(
      `${here.length} of the 256 sentences are on this page: those that the lists above name, and the first ones; none of more than 2,000 words.`,
    );
  });

  test('limits the lists of errors and sentences to the given length', async () => {
    const rows = (text: string, id: string) =>
      text
        .split(`<section id="${id}"`)[1]
        .split('</section>')[0]
        .match(/<th scope="row"/g)?.length;
    expect(rows(page, 'differing')).toBe(comparison.sentences.length);
    expect(comparison.sentences.length).toBeGreaterThan(2);
    const short = await comparisonPage(comparison, sentences, { limit: 2 });
    expect([rows(short, 'differing'), rows(short, 'errors')]).toEqual([2, 6]);
  });

  test('says if there are no errors and no differences', async () => {
    const same = await compare(pageGold, [pageGold, pageGold], { rounds: 10 });
    const text = await comparisonPage(same.comparison, same.sentences);
    expect(text).toContain('<p>No parser makes errors.</p>');
    expect(text).toContain('<p>All parsers have equal scores on every sentence.</p>');
  });

  test('links each number of the label confusions to its sentences', () => {
    const [confusion] = comparison.errors.labelConfusions;
    const parser = confusion.counts.findIndex((count) => count > 0);
    const address = new URLSearchParams({
      gold: confusion.gold,
      predicted: confusion.predicted,
      wrong: String(parser),
    });
    expect(page).toContain(`<a href="#${address.toString().replaceAll('&', '&#38;')}">`);
  });
});

test('the script of the page imports nothing and cannot end its script element', () => {
  const [, script] = /<script type="module">\n(.*)<\/script>\n<\/body>/s.exec(page)!;
  expect(() => new Script(script!)).not.toThrow();
  expect(script).toContain('hashchange');
  expect(script).not.toMatch(/<\/script|<!--/);
});

test('every parser’s name heads a row of the scores', () => {
  for (const name of pageParsers) {
    const escaped = name.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
    expect(page).toContain(`<tr><th scope="row"><bdi>${escaped}</bdi></th>`);
  }
});
