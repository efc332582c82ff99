import type { Paradigm } from '../parsers/parser.ts';
import { InputError } from '../src/errors.ts';
import type { Experiment } from './experiment.ts';
import { type Job, jobName } from './job.ts';
import { type CellSettings, layOut } from './layout.ts';
import { stepUnits } from './schema.ts';
import type { SurveyedFile, SurveyedTreebank, TreebankSurvey } from './treebanks.ts';

/** A cell of a table and what it takes to fill it. */
export interface Cell {
  readonly row: string;
  readonly column: string;
  readonly settings: CellSettings;
  readonly treebank: SurveyedTreebank;
  /** Sentences that there are to learn from: those of the training file that are not held out. */
  readonly available: number;
  /** Sentences that are learnt from: the first ones. */
  readonly trainSentences: number;
  /** Names of its jobs, one a seed; none where a sweep asks for more sentences than there are. */
  readonly jobs: readonly string[];
  /** After how many epochs or members its scores are taken, where one training serves a whole sweep. */
  readonly step: number | undefined;
}

/** All that there is to do for a table. */
export interface Plan {
  readonly experiment: Experiment;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Row by row. */
  readonly cells: readonly (readonly Cell[])[];
  /** By name: what several cells share is done once. */
  readonly jobs: ReadonlyMap<string, Job>;
}

export interface PlanContext {
  readonly known: readonly Paradigm[];
  readonly survey: TreebankSurvey;
  readonly program: Job['program'];
}

/**
 * Lays a table out, reads its treebanks, and names its jobs. Throws what `layOut` and `TreebankSurvey` throw.
 */
export async function planExperiment(experiment: Experiment, context: PlanContext): Promise<Plan> {
  const { known, survey, program } = context;
  const { rows, columns, cells } = layOut(experiment, known);
  const jobs = new Map<string, Job>();
  const planned: Cell[][] = [];
  for (const [i, row] of rows.entries()) {
    planned.push([]);
    for (const [j, column] of columns.entries()) {
      const settings = cells[i][j];
      const treebank = await survey.find(settings.treebank);
      const own = cellJobs(settings, treebank, experiment, program);
      for (const job of own.jobs) jobs.set(jobName(job), job);
      planned[i].push({ row, column, settings, treebank, ...own, jobs: own.jobs.map(jobName) });
    }
  }
  return { experiment, rows, columns, cells: planned, jobs };
}

function cellJobs(
  settings: CellSettings,
  treebank: SurveyedTreebank,
  { sweep }: Experiment,
  program: Job['program'],
) {
  const { paradigm, options, seeds, devShare } = settings;
  const { encoding } = treebank;
  const available = availableSentences(treebank, devShare);
  const asked = settings.trainSentences ?? available;
  const isShort = asked > available && sweep?.option === 'trainSentences';
  const trainSentences = isShort ? asked : Math.min(asked, available);
  const common = { program, paradigm, trainSentences, encoding, options, ...files(treebank, available) };
  if (sweep?.fromOneTraining) {
    const { option, values } = sweep;
    const most = { ...options, [option]: Math.max(...values.map(Number)) };
    const whole = { ...common, options: most, scoreEvery: stepUnits[option] };
    const jobs: Job[] = seeds.map((seed) => ({ ...whole, seed }));
    return { available, trainSentences, step: Number(options[option]), jobs };
  }
  const jobs: Job[] = isShort ? [] : seeds.map((seed) => ({ ...common, seed }));
  return { available, trainSentences, step: undefined, jobs };
}

function files({ train, dev }: SurveyedTreebank, available: number): Pick<Job, 'train' | 'dev' | 'devFrom'> {
  const named = ({ path, digest }: SurveyedFile) => ({ path, digest });
  return { train: named(train), ...(dev === undefined ? { devFrom: available } : { dev: named(dev) }) };
}

/**
 * All sentences of the training file, or those before the ones held out: the last `devShare`, at least one.
 */
function availableSentences({ train, dev }: SurveyedTreebank, devShare: number): number {
  if (dev !== undefined) return train.sentences;
  if (train.sentences < 2) {
    throw new InputError('one sentence only, none to hold out', { file: train.path });
  }
  return train.sentences - Math.max(1, Math.round(devShare * train.sentences));
}
