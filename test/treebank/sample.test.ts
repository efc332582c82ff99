import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { treebankParts } from '../../src/treebank/catalogue.ts';
import { formatBrackets, parseBrackets } from '../../src/treebank/phrases/brackets.ts';
import { dependenciesOfPhrases, PHRASE_RELATIONS } from '../../src/treebank/phrases/dependencies.ts';
import { bareLabel, isPunctuation } from '../../src/treebank/phrases/head-rules.ts';
import type { PhraseTree } from '../../src/treebank/phrases/phrase-tree.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { treebankStatistics } from '../../src/treebank/statistics.ts';
import { sampleConllu } from '../support/sample-conllu.ts';

const folder = join(packageFolder, 'data', 'sample');

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

function treesOf(part: string): PhraseTree[] {
  return [...parseBrackets(read(`${part}.mrg`), { file: `${part}.mrg`, line: 1 })].map(({ tree }) => tree);
}

function open(part: string): Promise<Treebank> {
  return openTreebank(join(folder, `${part}.conllu`), { expect: 'trees', singleRoot: true });
}

async function sentencesOf(part: string): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  for await (const sentence of await open(part)) sentences.push(sentence);
  return sentences;
}

/** All nodes of a tree. */
function nodesOf(tree: PhraseTree): PhraseTree[] {
  return [tree, ...tree.children.flatMap(nodesOf)];
}

function withoutFunctionTags({ label, children, form }: PhraseTree): PhraseTree {
  const index = form === undefined ? /-\d+$/.exec(label) : undefined;
  return { label: bareLabel(label) + (index ?? ''), children: children.map(withoutFunctionTags), form };
}

/** The words of a tree, without traces and punctuation marks. */
function wordsOf(tree: PhraseTree): string[] {
  return nodesOf(tree)
    .filter((node) => node.form !== undefined && node.label !== '-NONE-' && !isPunctuation(node))
    .map((node) => node.form!);
}

function names(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

const PHRASE_LABELS = names(`ADJP ADVP CONJP FRAG INTJ LST NAC NP NX PP PRN PRT QP RRC
  S SBAR SBARQ SINV SQ UCP VP WHADJP WHADVP WHNP WHPP X`);
const TAGS =
  names(`CC CD DT EX FW IN JJ JJR JJS LS MD NN NNP NNPS NNS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH
  VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB $ # , . : \`\` '' -LRB- -RRB- -NONE-`);

describe('the sample treebank', () => {
  test('has more than 400 sentences in more than ten registers, all of them in each part', () => {
    const rows = read('registers.tsv').trimEnd().split('\n');
    expect(rows.length).toBeGreaterThan(400);
    const registers = new Set(rows.map((row) => row.split('\t')[1]));
    expect(registers.size).toBeGreaterThan(10);
    for (const part of treebankParts) {
      const own = rows.filter((row) => row.startsWith(`sample-${part}-`));
      expect(own).toHaveLength(treesOf(part).length);
      expect(new Set(own.map((row) => row.split('\t')[1]))).toEqual(registers);
    }
  });

  test('has no sentence twice, within a part or across parts', () => {
    const texts = treebankParts.flatMap(treesOf).map((tree) => wordsOf(tree).join(' ').toLowerCase());
    expect(new Set(texts).size).toBe(texts.length);
  });

  test('has sentences of 8 to 25 words, enclitics counted as words, punctuation not', () => {
    for (const tree of treebankParts.flatMap(treesOf)) {
      const words = wordsOf(tree);
      expect(words.length, words.join(' ')).toBeGreaterThanOrEqual(8);
      expect(words.length, words.join(' ')).toBeLessThanOrEqual(25);
    }
  });

  test('has at least 20 sentences with non-projective trees, some in every part', async () => {
    const counts = await Promise.all(
      treebankParts.map(
        async (part) => (await treebankStatistics(await open(part))).nonProjectiveSentences.count,
      ),
    );
    expect(Math.min(...counts)).toBeGreaterThan(5);
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(20);
  });

  test('has in its README the counts that `parliament stats` gives', async () => {
    const rows = treebankParts.map(async (part) => {
      const { sentences, tokens, nonProjectiveSentences } = await treebankStatistics(await open(part));
      return `| \`${part}\` | ${sentences} | ${tokens} | ${nonProjectiveSentences.count} |`;
    });
    for (const row of await Promise.all(rows)) expect(read('README.md')).toContain(row);
  });

  test('has every relation of its README, and no other', async () => {
    const labels = new Set(
      (await Promise.all(treebankParts.map(sentencesOf))).flat().flatMap(({ labels }) => labels.slice(1)),
    );
    expect([...labels].sort()).toEqual(Object.keys(PHRASE_RELATIONS).sort());
    for (const [label, meaning] of Object.entries(PHRASE_RELATIONS)) {
      expect(read('README.md')).toContain(`| \`${label}\` | ${meaning} |`);
    }
  });
});

describe.each(treebankParts)('the %s part of the sample', (part) => {
  test('is written as Penn brackets, one tree after another', () => {
    const text = treesOf(part).map((tree) => `${formatBrackets(tree, { pretty: true })}\n`);
    expect(read(`${part}.mrg`)).toBe(text.join(''));
  });

  test('has Penn’s labels and tags only, and a trace for every index', () => {
    for (const tree of treesOf(part)) {
      const nodes = nodesOf(tree).slice(1);
      for (const { label, form } of nodes)
        expect(form === undefined ? PHRASE_LABELS : TAGS).toContain(bareLabel(label));
      const indices = nodes.flatMap(
        ({ label, form }) => /-(\d+)$/.exec(form === undefined ? label : '')?.[1] ?? [],
      );
      const traces = nodes.flatMap(({ label, form }) =>
        label === '-NONE-' ? [/^\*(?:T|ICH)\*-(\d+)$/.exec(form!)?.[1]] : [],
      );
      expect(traces.sort(), formatBrackets(tree)).toEqual(indices.sort());
    }
  });

  test('has the same dependencies without function tags, if the indices of traces are kept', () => {
    for (const tree of treesOf(part)) {
      const bare = dependenciesOfPhrases(withoutFunctionTags(tree), { traces: 'resolve' });
      const tagged = dependenciesOfPhrases(tree, { traces: 'resolve' });
      expect(bare).toEqual(tagged);
    }
  });

  test('has for each sentence a numbered tree with one root and the words of its brackets', async () => {
    const sentences = await sentencesOf(part);
    expect(sentences.map(({ id }) => id)).toEqual(
      sentences.map((_, i) => `sample-${part}-${String(i + 1).padStart(4, '0')}`),
    );
    const words = treesOf(part).map((tree) =>
      nodesOf(tree).flatMap(({ label, form }) => (form === undefined || label === '-NONE-' ? [] : [form])),
    );
    expect(sentences.map(({ forms }) => forms.slice(1))).toEqual(words);
  });

  test('has, byte for byte, the CoNLL-U file made from its brackets', async () => {
    const conllu = sampleConllu(part, read(`${part}.mrg`), read('registers.tsv'));
    await expect(conllu).toMatchFileSnapshot(join(folder, `${part}.conllu`));
  });
});
