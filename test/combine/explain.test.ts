import { expect, test } from 'vitest';
import { trainAnnotator } from '../../annotators/train-annotator.ts';
import { makePipeline } from '../../combine/pipeline/make-pipeline.ts';
import { trainParser } from '../../combine/train-parser.ts';
import { Ensemble } from '../../combine/vote/ensemble.ts';
import { Vote } from '../../combine/vote/vote.ts';
import { givenWeighting } from '../../combine/vote/weights/weighting.ts';
import { withParseAll } from '../../parsers/parser.ts';
import type { SentenceParser } from '../../parsers/run/batch-parser.ts';
import { explanationSchema } from '../../src/explain/explanation.ts';
import { explanationSections } from '../../src/report/explanation/sections.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { FirstSentences } from '../../src/treebank/treebanks.ts';
import { sampleText } from '../support/sample.ts';
import { sentence } from '../support/sentences.ts';
import { inflected } from '../support/small-pipeline.ts';

const words = sentence('a b c', '0 1 1');

/** A member that always gives the same tree. */
function always(heads: string, labels = 'x x x'): SentenceParser {
  const tree = sentence('a b c', heads, { labels });
  return withParseAll({ reads: [], parse: () => ({ heads: tree.heads, labels: tree.labels, notices: [] }) });
}

test('the explanation of a vote has the members and the share of votes for each arc', () => {
  // Two members make 2 the root and the head of 1; the other two make 1 the root and the head of 2.
  const members = [always('2 0 1'), always('2 0 1'), always('0 1 1'), always('0 1 1')];
  const ensemble = new Ensemble(members, new Vote(givenWeighting([2, 1, 2, 1.5])));
  const explained = ensemble.explain(words, { gold: words });
  expect(() => explanationSchema.parse(JSON.parse(JSON.stringify(explained)))).not.toThrow();
  expect(explained.tree.heads).toEqual([...ensemble.parse(words).heads]);
  const [first] = explained.ballots;
  const share = (head: number) => first.candidates.find((one) => one.head === head)!;
  expect(share(0).arcs[0].members).toEqual([2, 3]);
  expect(share(2).arcs[0].members).toEqual([0, 1]);
  expect(share(0).votes).toBeCloseTo(3.5 / 6.5, 6);
  expect(explained.members.map(({ weight }) => weight)).toEqual([2, 1, 2, 1.5]);
  for (const { candidates } of explained.ballots) {
    expect(candidates.reduce((sum, { votes }) => sum + votes, 0)).toBeCloseTo(1, 9);
  }
});

test('the explanation of a vote shows a cycle of the heads with the most votes, and the arc that gave way', () => {
  const members = [always('2 0 1'), always('2 3 0'), always('0 1 1')];
  const explained = new Ensemble(members, new Vote(givenWeighting([2, 1, 2.5]))).explain(words);
  const most = explained.ballots.map(
    ({ candidates }) => candidates.toSorted((a, b) => b.votes - a.votes)[0].head,
  );
  expect(most.slice(0, 2)).toEqual([2, 1]);
  expect(explained.cycles).toEqual([[1, 2]]);
  expect(explained.ballots.filter(({ isOverruled }) => isOverruled)).toHaveLength(1);
  expect(explanationSections(explained)[0].lines.join(' ')).toContain('form a cycle: a (1), b (2)');
});

test('a pipeline explains the columns that it fills and the vote of its parsers', async () => {
  const treebank = new FirstSentences(inflected('train'), 60);
  const small = { epochs: 1, bits: 14 };
  const pipeline = await makePipeline([
    await trainAnnotator('tagger', treebank, { options: { ...small, units: 8, networkEpochs: 1 } }),
    await trainParser('graph', treebank, { options: small }),
    await trainParser('transition', treebank, { options: { ...small, beam: 1 } }),
  ]);
  const [one] = readSentences(sampleText('dev'));
  const explained = pipeline.explain(one);
  expect(() => explanationSchema.parse(JSON.parse(JSON.stringify(explained)))).not.toThrow();
  const found = pipeline.complete(one);
  expect(explained.tree.heads).toEqual([...found.heads]);
  expect(explained.columns.upos).toEqual([...found.upos]);
  expect(explained.parser!.paradigm).toBe('vote');
  expect(explanationSections(explained).map(({ title }) => title)).toEqual(['Annotation', 'Ballots']);
});
