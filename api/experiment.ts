/** Tables of experiments: trained, parsed and scored cell by cell. */

export type { FigureName } from '../experiment/cells/figures.ts';
export { bundledExperiments, type NamedTreebank } from '../experiment/definition/experiment.ts';
export type { TreebankChoice } from '../experiment/definition/schema.ts';
export type { CellFigure } from '../experiment/results/fill.ts';
export type { ReadableTable } from '../experiment/results/table-texts.ts';
export type { RunProgress } from '../experiment/run/run-plan.ts';
export {
  type ExperimentCell,
  type ExperimentOptions,
  type ExperimentQueue,
  type ExperimentTable,
  runExperiment,
} from '../experiment/run-experiment.ts';
