import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTrained } from '../../../experiment/definition/cell-settings.ts';
import {
  bundledExperiments,
  experimentJsonSchema,
  jsonSchemaFile,
  readExperiment,
} from '../../../experiment/definition/experiment.ts';
import { layOut } from '../../../experiment/definition/layout.ts';
import { allParadigms } from '../../../parsers/registry.ts';
import { packageFolder } from '../../../src/platform/package.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('json-schema');
const folder = join(packageFolder, 'data', 'experiments');

describe('the schema for editors', () => {
  it('equals the schema that experiments are read with (npm run schema writes it)', () => {
    expect(JSON.parse(readFileSync(jsonSchemaFile, 'utf8'))).toEqual(experimentJsonSchema());
  });

  it('describes every setting', () => {
    const { properties } = experimentJsonSchema() as {
      properties: { defaults: { properties: Record<string, { description?: string }> } };
    };
    const settings = Object.entries(properties.defaults.properties);
    expect(settings.length).toBeGreaterThan(15);
    expect(settings.filter(([, { description }]) => description === undefined)).toEqual([]);
  });

  it('accepts the example in the documentation, a table of 7 × 4 cells', async () => {
    const [, example] = /```json\n(.*?)```/s.exec(readFileSync(join(folder, 'README.md'), 'utf8'))!;
    expect(example.split('\n').length).toBeLessThan(22);
    const experiment = await readExperiment(sandbox.save('example.json', example));
    const { rows, columns, cells } = layOut(experiment, await allParadigms());
    expect([rows.length, columns.length]).toEqual([7, 4]);
    expect(cells.flat().filter(isTrained)).toHaveLength(20);
  });

  it.each(bundledExperiments())('is named in the file of %s', (name) => {
    const { $schema } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    expect(join(folder, $schema)).toBe(jsonSchemaFile);
  });
});
