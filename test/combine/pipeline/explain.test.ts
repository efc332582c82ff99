import { beforeAll, expect, test } from 'vitest';
import { makePipeline } from '../../../combine/pipeline/make-pipeline.ts';
import type { Pipeline } from '../../../combine/pipeline/pipeline.ts';
import { explanationSchema } from '../../../src/explain/explanation.ts';
import { explanationSections } from '../../../src/report/explanation/sections.ts';
import { smallModels } from '../../support/small-pipeline.ts';

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await makePipeline(Object.values(await smallModels()));
});

test('a pipeline lists the tags it chose first, then the next best ones by falling score', () => {
  for (const sentence of pipeline.parse('The dogs bark all night.  Nobody knows why he found old letters.')) {
    const explained = pipeline.explain(sentence);
    expect(() => explanationSchema.parse(JSON.parse(JSON.stringify(explained)))).not.toThrow();
    const alternatives = explained.alternatives!;
    expect(alternatives).toHaveLength(sentence.length + 1);
    const open = [...alternatives.keys()].filter((d) => alternatives[d].length > 0);
    expect(open.length).toBeGreaterThan(0);
    for (const d of open) {
      const [chosen, ...others] = alternatives[d];
      const { upos, xpos, feats } = explained.columns;
      expect({ upos: upos[d], xpos: xpos?.[d], feats: feats[d] }).toMatchObject(chosen.columns);
      for (const [place, { columns, score }] of others.entries()) {
        expect(score).toBeLessThanOrEqual(alternatives[d][place].score);
        expect(columns.upos).not.toBe(chosen.columns.upos);
      }
    }
  }
});

test('an explanation has the next best tags and their margin beside the tags that were filled in', () => {
  const [sentence] = pipeline.parse('She found old letters in a drawer.');
  const explained = pipeline.explain(sentence);
  const [{ title, tables }] = explanationSections(explained);
  expect(title).toBe('Annotation');
  const { columns, rows } = tables[0].table;
  expect(columns.slice(-2).map(({ title }) => title)).toEqual(['next best tags', 'margin']);
  const d = explained.alternatives!.findIndex((all) => all.length > 1);
  const [chosen, next] = explained.alternatives![d];
  const [told, margin] = rows[d - 1].slice(-2);
  expect(told).toContain(next.columns.upos);
  expect(margin).toBe(chosen.score - next.score);
});
