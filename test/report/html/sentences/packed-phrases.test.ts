import { expect, test } from 'vitest';
import { bracketVerdicts } from '../../../../src/evaluate/comparison/compare-phrases.ts';
import { flatten } from '../../../../src/evaluate/parseval/flat-tree.ts';
import { packPhrases, unpackPhrases } from '../../../../src/report/html/sentences/sentence-data.ts';
import { formatBrackets, parseBrackets } from '../../../../src/treebank/phrases/brackets.ts';

test.each([
  '(S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (PRP us)) (PP (IN in) (NP (NN town)))) (. .))',
  '( (S (S (NP (NP (PRP We)))) (CC and) (X (Y (Z (NN a) (NN b))) (NN c))))',
  '(FRAG (UH Yes))',
])('phrases are unchanged after packing and unpacking: %s', (text) => {
  const [{ tree }] = parseBrackets(text);
  const labels: string[] = [];
  const numberOf = (label: string) =>
    labels.includes(label) ? labels.indexOf(label) : labels.push(label) - 1;
  const forms = ['', ...[...text.matchAll(/[^() ]+ ([^() ]+)\)/g)].map(([, form]) => form)];
  const packed = packPhrases(tree, numberOf);
  const unpacked = unpackPhrases(packed, forms, labels);
  expect(formatBrackets(unpacked)).toBe(text);
  expect(bracketVerdicts(tree, unpacked).size).toBe(0);
  expect(flatten({ tree: unpacked }).brackets).toHaveLength(packed.brackets.length / 3);
});
