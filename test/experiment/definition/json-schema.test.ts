import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundledExperiments } from '../../../experiment/definition/experiment.ts';
import { experimentJsonSchema, jsonSchemaFile } from '../../../experiment/definition/json-schema.ts';
import { packageFolder } from '../../../src/files/package-folder.ts';

const folder = join(packageFolder, 'data', 'experiments');

describe('the schema for editors', () => {
  it('is that by which experiments are read (npm run schema writes it)', () => {
    expect(JSON.parse(readFileSync(jsonSchemaFile, 'utf8'))).toEqual(experimentJsonSchema());
  });

  it('says of every setting what it is', () => {
    const { properties } = experimentJsonSchema() as {
      properties: { defaults: { properties: Record<string, { description?: string }> } };
    };
    const settings = Object.entries(properties.defaults.properties);
    expect(settings.length).toBeGreaterThan(15);
    expect(settings.filter(([, { description }]) => description === undefined)).toEqual([]);
  });

  it.each(bundledExperiments())('is named by %s', (name) => {
    const { $schema } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    expect(join(folder, $schema)).toBe(jsonSchemaFile);
  });
});
