import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare } from '../../../src/evaluate/comparison/compare.ts';
import { comparePhrases } from '../../../src/evaluate/comparison/compare-phrases.ts';
import {
  matchingBrackets,
  matchingTokens,
  noFilter,
  prepareFilter,
  type SentenceFilter,
} from '../../../src/report/html/browser/sentence-filter.ts';
import { comparisonPage } from '../../../src/report/html/comparison-page.ts';
import {
  type SentenceData,
  type ShownSentence,
  unpackSentence,
} from '../../../src/report/html/sentences/sentence-data.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import { comparedSentences } from '../../support/compared-sentences.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { treebank } from '../../support/sentences.ts';

const sandbox = new Sandbox('links');

/** The rows of all tables of a page: the caption, and the column, text and link of each cell. */
function rowsOf(page: string) {
  const tables = page.split('<caption>').slice(1);
  const plain = (html: string) => html.replace(/<[^>]*>/g, '');
  return tables.flatMap((table) => {
    const caption = plain(table.slice(0, table.indexOf('</caption>')));
    const body = table.slice(table.indexOf('<tbody>'), table.indexOf('</tbody>'));
    const head = table.slice(table.indexOf('<thead>'), table.indexOf('</thead>'));
    const columns = head.split('</th>').map(plain);
    return body.split('</tr>').map((row) => ({
      caption,
      cells: row.split(/<\/t[dh]>/).map((cell, i) => ({
        column: columns[i],
        text: plain(cell).trim(),
        address: /href="#([^"]*)"/.exec(cell)?.[1].replaceAll('&#38;', '&'),
      })),
    }));
  });
}

function sentencesOf(page: string): ShownSentence[] {
  const data = JSON.parse(page.split('id="sentence-data">')[1].split('</script>')[0]) as SentenceData;
  return data.sentences.map((_, i) => unpackSentence(data, i));
}

test('figures link to the words that they count: scores, confusions, wrong arcs, buckets, agreement', async () => {
  const cases = fc.array(comparedSentences(3), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(cases, async (compared) => {
      const tree = (sentence: (typeof compared)[number], parser: number) => ({
        ...sentence.gold,
        ...sentence.trees[parser],
      });
      const gold = treebank('gold', ...compared.map((sentence) => sentence.gold));
      const outputs = [0, 1, 2].map((i) => treebank(`p${i}`, ...compared.map((each) => tree(each, i))));
      const { comparison, sentences } = await compare(gold, outputs, { rounds: 1 });
      const page = await comparisonPage(comparison, sentences);
      const shown = sentencesOf(page);
      const count = (address: string) => {
        const asked = Object.fromEntries(new URLSearchParams(address)) as Partial<SentenceFilter>;
        const filter = prepareFilter({ ...noFilter, ...asked });
        const isLength = Object.keys(asked).every((name) => name === 'from' || name === 'to');
        const words = (each: ShownSentence) => {
          const found = matchingTokens(each, filter);
          return isLength && found !== undefined ? each.forms.length - 1 : (found?.length ?? 0);
        };
        return shown.map(words);
      };
      const right = (found: number, all: number) => (100 - (100 * found) / all).toFixed(2);
      const tokens = comparison.agreement.tokens;
      for (const { caption, cells } of rowsOf(page)) {
        for (const { column, text, address } of cells) {
          if (address === undefined || address.startsWith('sentence=')) continue;
          const counts = count(address);
          const found = counts.reduce((a, b) => a + b, 0);
          if (/^\d+$/.test(text)) expect([caption, address, found]).toEqual([caption, address, Number(text)]);
          else if (/^(Root|Complete)/.test(column!))
            expect(right(counts.filter((words) => words > 0).length, counts.length)).toBe(text);
          else if (/^(Each parser against|All parsers)/.test(caption))
            expect(((100 * found) / tokens).toFixed(2)).toBe(text);
          else if (/^(Attachment scores|Agreement|Ranking)/.test(caption))
            expect(right(found, tokens)).toBe(text);
          else if (!/^Differences/.test(caption)) expect(found).toBeGreaterThan(0);
        }
      }
    }),
    { numRuns: 20 },
  );
});

test('figures of brackets link to the sentences with exactly these brackets', async () => {
  const gold = [
    '(ROOT (S (NP (PRP We)) (VP (VBD saw) (, ,) (NP (NN dogs)) (PP (IN in) (NP (NN town)))) (. .)))',
    '(S (NP-SBJ (NNS Dogs)) (VP (VBP bark)))',
  ].join('\n');
  const attached = gold.replace(
    '(NP (NN dogs)) (PP (IN in) (NP (NN town)))',
    '(NP (NP (NN dogs)) (PP (IN in) (NP (NN town))))',
  );
  const crossing = gold
    .replace('(NP (PRP We)) (VP (VBD saw)', '(NP (PRP We) (VBD saw)) (VP')
    .replace('(PP (IN in)', '(ADVP (IN in)');
  const open = (name: string, text: string) =>
    openTreebank(sandbox.save(`${name}.mrg`, text), { expect: 'trees' });
  const outputs = [
    await open('attached', attached),
    await open('crossing', crossing),
    await open('right', gold),
  ];
  const { comparison, sentences } = await compare(await open('gold', gold), outputs, { rounds: 9 });
  const files = ['attached', 'crossing', 'right'].map((name) => ({ name, file: `${name}.mrg` }));
  const phrases = (await comparePhrases(sentences, files, { rounds: 9 }))!;
  const page = await comparisonPage(comparison, sentences, { phrases });
  const shown = sentencesOf(page);
  for (const { caption, cells } of rowsOf(page)) {
    if (!/^(Bracket errors|Relabelled brackets|Scores of brackets)/.test(caption)) continue;
    for (const { column, text, address } of cells.slice(1)) {
      const isScore = caption.startsWith('Scores');
      if (!isScore) expect([caption, text, address !== undefined]).toEqual([caption, text, Number(text) > 0]);
      if (address === undefined) continue;
      const filter = { ...noFilter, ...Object.fromEntries(new URLSearchParams(address)) };
      const counts = shown.map((each) => matchingBrackets(each, filter).length);
      const found = shown.map((each) => matchingTokens(each, prepareFilter(filter)) !== undefined);
      expect(found).toEqual(counts.map((count) => count > 0));
      const sum = counts.reduce((a, b) => a + b, 0);
      if (!isScore) expect([address, sum]).toEqual([address, Number(text)]);
      else if (column === 'Crossing') expect((sum / shown.length).toFixed(2)).toBe(text);
      else expect(sum).toBeGreaterThan(0);
    }
  }
});
