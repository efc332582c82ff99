import { graphOptions } from '../parsers/graph/options.ts';
import { graph } from '../parsers/graph/paradigm.ts';
import type { Paradigm } from '../parsers/parser.ts';
import { paradigms as plain } from '../parsers/registry.ts';
import { bayesPointOptions, withBayesPoint } from './bayes-point/paradigm.ts';

/** Every way to parse, with what several models together add to it: what can be asked for by name. */
export const paradigms: readonly Paradigm[] = [
  withBayesPoint(graph, graphOptions.extend(bayesPointOptions)),
  ...plain.filter(({ name }) => name !== graph.name),
];
