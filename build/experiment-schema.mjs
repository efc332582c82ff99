/** Writes the JSON Schema of experiments, for editors, to data/experiment.schema.json. After `npm run build`. */
import { writeFileSync } from 'node:fs';
import { experimentJsonSchema, jsonSchemaFile } from '../dist/experiment/definition/experiment.js';

writeFileSync(jsonSchemaFile, `${JSON.stringify(experimentJsonSchema(), null, 2)}\n`);
