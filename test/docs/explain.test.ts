import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explanationSchema } from '../../src/explain/explanation.ts';
import { decisionSchema } from '../../src/explain/shared.ts';
import { packageFolder } from '../../src/platform/package.ts';
import { type SchemaField, schemaFields } from '../support/schema-fields.ts';

const page = readFileSync(join(packageFolder, 'docs', 'explain-fields.md'), 'utf8');

const kinds = explanationSchema.options.map((schema) => ({
  name: (schema.shape.paradigm as { value: string }).value,
  // The fields of a pipeline's parser are listed with that kind of parser.
  fields: schemaFields(schema).filter(({ path }) => !path.startsWith('parser.')),
}));
const [{ fields: first }] = kinds;
const isShared = ({ path }: SchemaField) =>
  kinds.every(({ fields }) => fields.some((one) => one.path === path));
const shared = first.filter((field) => field.path !== 'paradigm' && isShared(field));

/** A list of fields in the form that the page has. */
function listed(fields: readonly SchemaField[]): string {
  return fields
    .map(({ path, type, description, isOptional }) => {
      const what = `${type}${isOptional ? ', optional' : ''}`;
      return `- \`${path}\` (${what})${description === '' ? '' : `: ${description}`}\n`;
    })
    .join('');
}

describe('docs/explain-fields.md', () => {
  test('lists the fields of every explanation', () => {
    expect(page).toContain(`## Every explanation\n\n${listed(shared)}`);
  });

  test('lists the fields of a decision', () => {
    expect(page).toContain(`## A decision\n\n${listed(schemaFields(decisionSchema))}`);
  });

  test.each(kinds)('lists the fields of $name', ({ name, fields }) => {
    const own = fields.filter((field) => !isShared(field));
    expect(page).toContain(`## \`${name}\`\n\n${listed(own)}`);
  });
});
