import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../../src/errors.ts';
import { attempt, explaining } from '../../../src/files/files.ts';
import { parseJsonAs } from '../../../src/files/json-file.ts';
import { MODEL_NAME, modelsFolder, readyModel } from '../../../src/model/ready-model.ts';
import { packageFolder } from '../../../src/platform/package.ts';

/**
 * A recipe for a ready model. Its steps are commands of this program as lists of words, run in a folder of their own;
 * `{train}`, `{dev}`, `{text}` and `{model}` are replaced by paths.
 */
const recipeSchema = z.strictObject({
  name: z.string().regex(MODEL_NAME, 'expected small letters, digits and hyphens'),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  title: z.string().min(1),
  treebank: z.string().min(1),
  /** SPDX identifier of the model's licence. */
  licence: z.string().min(1),
  /** Whether the treebank's licence allows publishing the model. */
  publishable: z.boolean(),
  /** Describes the raw text to pass as `{text}`; absent if no step reads any. */
  text: z.string().min(1).optional(),
  /** Text for the model card: intended uses and limitations. */
  about: z.string().min(1),
  steps: z
    .array(z.array(z.string()).min(1))
    .min(1)
    .refine((steps) => steps.flat().join().includes('{model}'), 'expected a step that names {model}'),
  /** F1 on the raw text of the development part, as `parliament evaluate` reports it. */
  figures: z.record(z.string(), z.number()).optional(),
  /** Measurements on one machine: words per second of one thread, seconds to open, megabytes of memory. */
  measured: z.record(z.string(), z.string()).optional(),
});

export type Recipe = z.infer<typeof recipeSchema>;

const folder = join(packageFolder, 'data', 'models');

export function recipeNames(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/** Names of the models that have a recipe, or are in `$PARLIAMENT_HOME/models` or in folders `parliament-NAME` here. */
export function modelNames(): string[] {
  const kept = attempt(() => readdirSync(modelsFolder())) ?? [];
  const made = attempt(() => readdirSync('.').filter((file) => file.startsWith('parliament-'))) ?? [];
  const files = [...kept, ...made.map((file) => file.slice('parliament-'.length))];
  const names = files.map((file) => file.replace(/\.model$/, '')).filter((name) => readyModel(name));
  return [...new Set([...recipeNames(), ...names])].sort();
}

/** Names of the models that are on this machine, which `--model NAME` finds. */
export const readyModelNames = (): string[] => modelNames().filter(readyModel);

/** Reads a bundled recipe by name, or the user's own by the path of its file. */
export function readRecipe(nameOrPath: string): Recipe {
  const isPath = nameOrPath.endsWith('.json');
  if (!isPath && !recipeNames().includes(nameOrPath))
    throw new UsageError(`no recipe is called “${nameOrPath}”; there are: ${recipeNames().join(', ')}`);
  const file = isPath ? nameOrPath : join(folder, `${nameOrPath}.json`);
  const text = explaining(file, 'cannot be read', () => readFileSync(file, 'utf8'));
  return parseJsonAs(recipeSchema, text, file);
}
