import { z } from 'zod';
import { InputError } from '../src/errors.ts';
import type { ModelReader } from '../src/model/model-reader.ts';
import { bigram } from './bigram/paradigm.ts';
import { pcfg } from './constituency/paradigm.ts';
import { graph } from './graph/paradigm.ts';
import type { LinearParadigm, Paradigm, Parser } from './parser.ts';
import { transition } from './transition/paradigm.ts';

/** Every way to parse that this program knows; one line adds one. */
export const paradigms: readonly Paradigm[] = [
  graph as Paradigm,
  transition as Paradigm,
  bigram as Paradigm,
  pcfg as Paradigm,
];

/** Those whose parsers are vectors of weights. */
const linearParadigms: readonly LinearParadigm[] = [graph as LinearParadigm];

/** The trained parser that a model file holds. */
export function loadParser(model: ModelReader): Parser {
  const name = model.part('paradigm', z.string());
  const paradigm = paradigms.find((candidate) => candidate.name === name);
  if (paradigm === undefined) {
    const names = paradigms.map((candidate) => candidate.name).join(', ');
    throw new InputError(`a model of the paradigm ${name}; this program knows ${names}`, {
      file: model.name,
    });
  }
  return paradigm.load(model);
}

/** The linear paradigm of a name; throws `TypeError` for a name that is none. */
export function linearParadigm(name: string): LinearParadigm {
  const paradigm = linearParadigms.find((candidate) => candidate.name === name);
  if (paradigm === undefined) throw new TypeError(`no linear paradigm is called ${name}`);
  return paradigm;
}
