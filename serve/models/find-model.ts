import { RequestError } from '../http/request-error.ts';
import type { Ability, ServedModel } from './served-model.ts';

/**
 * The model that a request names: by its name, or by the beginning of its name up to a hyphen, where the first such
 * model is meant (as in UDPipe's service: `english` is `english-ewt`); without a name, the first of all.
 *
 * @throws RequestError where there is none
 */
export function findModel(models: readonly ServedModel[], name = ''): ServedModel {
  if (name === '') return models[0];
  const found =
    models.find((model) => model.name === name) ?? models.find((model) => model.name.startsWith(`${name}-`));
  if (found === undefined) throw new RequestError(`there is no model called ${shortened(name)}`);
  return found;
}

/** Refuses what a model cannot do. */
export function checkAbilities({ name, abilities }: ServedModel, asked: readonly Ability[]): void {
  const missing = asked.find((ability) => !abilities.includes(ability));
  if (missing !== undefined) throw new RequestError(`the model ${name} has no ${missing}`);
}

const LONGEST = 60;

function shortened(name: string): string {
  const line = JSON.stringify(name);
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…"`;
}
