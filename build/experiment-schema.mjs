/** Writes the format of experiments for editors, from the program as it is built: data/experiment.schema.json. */
import { writeFileSync } from 'node:fs';
import { experimentJsonSchema, jsonSchemaFile } from '../dist/experiment/definition/experiment.js';

writeFileSync(jsonSchemaFile, `${JSON.stringify(experimentJsonSchema(), null, 2)}\n`);
