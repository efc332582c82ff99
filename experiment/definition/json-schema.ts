import { join } from 'node:path';
import { z } from 'zod';
import { packageFolder } from '../../src/files/package-folder.ts';
import { experimentSchema } from './schema.ts';

/** Where the format of experiments stands for editors, which find it by a file's `$schema`. */
export const jsonSchemaFile = join(packageFolder, 'data', 'experiment.schema.json');

/** The format of experiments as JSON Schema, made of the schema by which they are read. */
export function experimentJsonSchema(): object {
  return { title: 'An experiment of Parliament', ...z.toJSONSchema(experimentSchema, { io: 'input' }) };
}
