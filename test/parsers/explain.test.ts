import { describe, expect, test } from 'vitest';
import { trainParser } from '../../combine/train-parser.ts';
import type { Parser } from '../../parsers/parser.ts';
import { findParadigm, openParser, paradigmNames } from '../../parsers/registry.ts';
import { explanationSchema, type ParseExplanation } from '../../src/explain/explanation.ts';
import type { Alternative, Decision } from '../../src/explain/shared.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { type Sentence, sentenceOf, type Treebank } from '../../src/treebank/sentence.ts';
import { FirstSentences, inMemory } from '../../src/treebank/treebanks.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { sampleText } from '../support/sample.ts';
import { inflected } from '../support/small-pipeline.ts';

/** The kinds of models that `train` can write, each with options that make it small. */
const kinds: [paradigm: string, options: object][] = [
  ['graph', { epochs: 1, bits: 14 }],
  ['graph', { epochs: 1, bits: 14, decoder: 'eisner', learner: 'perceptron', pseudoProjective: 'head' }],
  ['graph', { epochs: 1, bits: 14, order: 2 }],
  ['graph', { epochs: 1, bits: 14, order: 3, decoder: 'eisner' }],
  ['transition', { epochs: 2, bits: 14 }],
  ['transition', { epochs: 2, bits: 14, system: 'arc-standard', beam: 1 }],
  ['transition', { epochs: 2, bits: 14, system: 'arc-swap', beam: 3, direction: 'right-to-left' }],
  ['transition', { epochs: 2, bits: 14, beam: 1, oracle: 'dynamic', direction: 'right-to-left' }],
  ['transition', { bits: 14, learner: 'svm' }],
  ['transition', { epochs: 2, bits: 14, beam: 2, pseudoProjective: 'head+path' }],
  ['yamada-matsumoto', { bits: 12 }],
  ['yamada-matsumoto', { bits: 12, degree: 3, splitByTag: false }],
  ['bigram', {}],
  ['network', { epochs: 1, units: 8 }],
  ['bigram', { estimate: 'zeman', decoder: 'greedy' }],
  ['bigram', { decoder: 'eisner' }],
  ['pcfg', {}],
  ['pcfg', { search: 'pruned', beam: 4 }],
  ['pcfg', { splitMerge: 1 }],
  ['spans', { epochs: 1, units: 8 }],
];

/** Two short sentences, one of them with crossing arcs. */
const dev = [60, 13].map((i) => readSentences(sampleText('dev'))[i]!);

const isOfPhrases = (paradigm: string) => paradigm === 'pcfg' || paradigm === 'spans';

function material(paradigm: string): Treebank {
  return isOfPhrases(paradigm) ? inMemory(brackets(), 'brackets') : new FirstSentences(inflected('train'), 6);
}

/** Three trees, repeated so that there are enough to learn from. */
function brackets(): Sentence[] {
  const trees = [
    '(S (NP (DT the) (NN cat)) (VP (VBZ sees) (NP (DT a) (NN dog))))',
    '(S (NP (DT a) (JJ big) (NN dog)) (VP (VBZ sleeps)))',
    '(S (NP (NNS dogs)) (VP (VBP see) (NP (NNS cats)) (PP (IN in) (NP (DT the) (NN house)))))',
  ];
  return readSentences(Array.from({ length: 12 }, (_, i) => trees[i % 3]).join('\n'));
}

async function trained(paradigm: string, options: object): Promise<Parser> {
  const { parser } = await trainParser(await findParadigm(paradigm), material(paradigm), { options });
  const writer = new ModelWriter();
  writer.header.paradigm = parser.paradigm;
  parser.save(writer);
  return openParser(ModelReader.fromBuffer(modelBuffer(writer), 'model'));
}

function decisionsIn(explained: ParseExplanation): Decision[] {
  if ('arc' in explained && explained.arc !== undefined) return [explained.arc.head, explained.arc.label];
  if (!('decision' in explained) || explained.decision === undefined) return [];
  const { decision } = explained;
  return [decision.action, ...('label' in decision && decision.label ? [decision.label] : [])];
}

const sumOf = ({ contributions }: Alternative) => contributions.reduce((sum, { weight }) => sum + weight, 0);

test('the table of models contains every paradigm', () => {
  expect(new Set(kinds.map(([paradigm]) => paradigm))).toEqual(new Set(paradigmNames()));
});

describe.each(kinds)('%s with %o', (paradigm, options) => {
  const parser = trained(paradigm, options);
  const sentences = isOfPhrases(paradigm) ? brackets().slice(0, 3) : dev;

  test('explains the tree that it finds, in the form that the schema describes', async () => {
    for (const sentence of sentences) {
      const { explain, ...own } = await parser.then((one) => ({
        explain: one.explain!.bind(one),
        parse: one.parse(sentence),
      }));
      for (const gold of [undefined, sentence]) {
        const explained = explain(sentence, { gold });
        expect(() => explanationSchema.parse(JSON.parse(JSON.stringify(explained)))).not.toThrow();
        expect(explained.tree).toEqual({ heads: [...own.parse.heads], labels: [...own.parse.labels] });
        expect(explained.paradigm).toBe(paradigm);
      }
    }
  });

  test('gives contributions that add up to the scores of its decisions', async () => {
    for (const sentence of sentences.slice(0, 1)) {
      const whole = (await parser).explain!(sentence, {});
      if (whole.paradigm === 'pcfg') {
        const rules = whole.derivation.reduce((sum, { ruleScore }) => sum + ruleScore, 0);
        expect(rules).toBeCloseTo(whole.score!, 3);
        const cells = new Map(whole.chart.map((cell) => [`${cell.from} ${cell.to}`, cell.symbols]));
        for (const { label, from, to, score, rule } of whole.derivation) {
          if (label !== null)
            expect(cells.get(`${from} ${to}`)).toContainEqual(expect.objectContaining({ label }));
          const isTop = whole.derivation.find(
            (one) => one.label === label && one.from === from && one.to === to,
          )?.rule;
          if (label !== null && isTop === rule)
            expect(cells.get(`${from} ${to}`)).toContainEqual(
              expect.objectContaining({ label, score, rule }),
            );
        }
        for (const { symbols } of whole.chart) {
          expect(new Set(symbols.map(({ label }) => label)).size).toBe(symbols.length);
        }
      }
      const places = 'steps' in whole ? whole.steps.length : 'arcs' in whole ? sentence.length : 0;
      for (let place = 1; place <= Math.min(places, 10); place++) {
        const asked = 'steps' in whole ? { step: place } : { arc: place };
        const explained = (await parser).explain!(sentence, { ...asked, gold: sentence });
        const decisions = decisionsIn(explained);
        expect(decisions).not.toEqual([]);
        for (const decision of decisions) {
          for (const one of decision.alternatives) expect(sumOf(one)).toBeCloseTo(one.score, 6);
        }
        expectOwnScores(explained, place, decisions[0].alternatives[0]);
      }
    }
  });

  test('explains a sentence of one word, and a long one in less than two seconds', async () => {
    const { explain } = await parser.then((one) => ({ explain: one.explain!.bind(one) }));
    const words = sentences.flatMap(({ forms, upos, xpos }) =>
      forms.slice(1).map((form, i) => ({ form, upos: upos[i + 1], xpos: xpos[i + 1] })),
    );
    expect(explain(sentenceOf(words.slice(0, 1))).tree.heads).toEqual([-1, 0]);
    const long = sentenceOf(
      Array.from({ length: paradigm === 'pcfg' ? 40 : 100 }, (_, i) => words[i % words.length]),
    );
    const before = process.cpuUsage();
    const { tree } = explain(long);
    explain(long, { gold: { heads: Int32Array.from(tree.heads), labels: tree.labels } });
    const { user } = process.cpuUsage(before);
    expect(user / 2e6).toBeLessThan(2);
  });
});

/** Expects the chosen alternative to have the same score as in the explanation of the whole sentence. */
function expectOwnScores(explained: ParseExplanation, place: number, chosen: Alternative): void {
  if ('steps' in explained) {
    const step = explained.steps[place - 1];
    const own = step.actions.find(({ action }) => action === step.action)!.score;
    const score = 'score' in step ? step.score : own;
    if (score !== null) expect(chosen.score).toBeCloseTo(score, 3);
    return;
  }
  if (!('arcs' in explained)) return;
  const { head, dependent } = explained.arcs[place - 1];
  if ('order' in explained && explained.order > 1) {
    if (explained.arc!.head.alternatives.length > 1) return;
    const own = explained.parts!.filter(({ tokens }) => tokens.includes(head) && tokens.includes(dependent));
    expect(chosen.score).toBeCloseTo(
      own.reduce((sum, { score }) => sum + score, 0),
      4,
    );
    return;
  }
  expect(chosen.score).toBeCloseTo(explained.scores[head][dependent]!, 4);
}

test('names of features that depend on the distance of an arc contain that distance', async () => {
  const { parser } = await trainParser('bigram', material('bigram'));
  const named = Array.from({ length: dev[0]!.length }, (_, i) => {
    const explained = parser.explain!(dev[0]!, { arc: i + 1 });
    if (explained.paradigm !== 'bigram') throw new Error('expected an explanation of a bigram parser');
    const [chosen] = explained.arc!.head.alternatives;
    const far = Math.abs(explained.tree.heads[i + 1]! - i - 1);
    const away = chosen!.contributions.flatMap(({ feature }) => / \((\d+) away\)$/.exec(feature)?.[1] ?? []);
    return away.map((distance) => Number(distance) - far);
  }).flat();
  expect(named.length).toBeGreaterThan(20);
  expect(new Set(named)).toEqual(new Set([0]));
});
