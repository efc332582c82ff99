import type { Paradigm } from '../../parsers/parser.ts';
import { InputError } from '../../src/errors.ts';
import {
  type Job,
  jobName,
  type ParserJob,
  type PredictedTags,
  type Program,
  type Selection,
  taggingsFor,
} from '../jobs/job.ts';
import type { Work } from '../jobs/program.ts';
import type { Experiment } from './experiment.ts';
import { type CellSettings, layOut, type PooledSettings, type TrainedSettings } from './layout.ts';
import { stepUnits } from './schema.ts';
import type { ScoredTreebank, SurveyedFile, SurveyedTreebank, TreebankSurvey } from './treebanks.ts';
import { needsSetAside, sentencesBefore, setAsideTwins, voteJob } from './vote-plan.ts';

/** A treebank that is none of the parser's, of which the first so many sentences are learnt from. */
export interface OtherTreebank extends SurveyedTreebank {
  readonly learnt: number;
}

/** A cell of a table and what it takes to fill it. */
export interface Cell {
  readonly row: string;
  readonly column: string;
  readonly settings: CellSettings;
  /** Of a cell made of others, here and below: as those have it. */
  readonly treebank: SurveyedTreebank;
  /** Where it is scored, if not on its own dev part. */
  readonly scoredOn: ScoredTreebank | undefined;
  /** What taggers learn from, if not what the parser learns from. */
  readonly taggedBy: OtherTreebank | undefined;
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
  /** The program that does a job; throws where there is none. */
  programOf(work: Work): Program;
}

/**
 * Lays a table out, reads its treebanks, and names its jobs. Throws what `layOut` and `TreebankSurvey` throw.
 */
export async function planExperiment(experiment: Experiment, context: PlanContext): Promise<Plan> {
  const { rows, columns, cells } = layOut(experiment, context.known);
  const planner = new Planner(experiment, context);
  const cellAt = async (i: number, j: number): Promise<Cell> => {
    const settings = cells[i][j];
    const place = { row: rows[i], column: columns[j] };
    if (!('of' in settings)) return { ...place, ...(await planner.trained(settings)) };
    const members: Cell[] = [];
    for (const { row, column } of settings.of) members.push(await cellAt(row, column));
    return { ...members[0], ...place, settings, jobs: planner.pooled(settings, members) };
  };
  const planned: Cell[][] = [];
  for (const i of rows.keys()) {
    planned.push([]);
    for (const j of columns.keys()) planned[i].push(await cellAt(i, j));
  }
  return { experiment, rows, columns, cells: planned, jobs: planner.jobs };
}

class Planner {
  readonly jobs = new Map<string, Job>();

  constructor(
    private readonly experiment: Experiment,
    private readonly context: PlanContext,
  ) {}

  async trained(settings: TrainedSettings): Promise<Omit<Cell, 'row' | 'column'>> {
    const { survey, programOf } = this.context;
    const { paradigm, seeds, maxTokens, scoreOn } = settings;
    const treebank = await survey.find(settings.treebank);
    const scored = scoreOn === undefined ? undefined : await survey.findScored(scoreOn);
    const scoredOn = isHeldOutFrom(treebank, scored) ? undefined : scored;
    const available = availableSentences(treebank, settings.devShare);
    const asked = settings.trainSentences ?? available;
    const isShort = asked > available && this.experiment.sweep?.option === 'trainSentences';
    const trainSentences = isShort ? asked : Math.min(asked, available);
    const { step, ...training } = this.steps(settings);
    const train = selection(treebank.train, { to: trainSentences });
    const test = { ...testSelection(treebank, scoredOn, available), maxTokens };
    const work = { kind: 'parser' as const, paradigm };
    const { tags, taggedBy } = await this.tags(settings, train, test);
    const common = { ...work, program: programOf(work), ...training, train, test, ...(tags && { tags }) };
    const jobs = isShort ? [] : seeds.map((seed) => this.add({ ...common, seed }));
    return { settings, treebank, scoredOn, taggedBy, available, trainSentences, jobs, step };
  }

  /** By what tags are found that are not gold, and from which treebank that is learnt, if not from the cell's own. */
  private async tags(
    { tags, folds, devShare, ...settings }: TrainedSettings,
    train: Selection,
    test: Selection,
  ): Promise<{ tags?: PredictedTags; taggedBy: OtherTreebank | undefined }> {
    if (tags === 'gold') return { taggedBy: undefined };
    const { survey, programOf } = this.context;
    const besideGold = tags === 'both';
    const inTraining = tags === 'predicted' || besideGold;
    const common = {
      program: programOf({ kind: 'tagging' }),
      inTraining,
      ...(besideGold && { besideGold }),
    };
    const other = settings.taggedBy === undefined ? undefined : await survey.find(settings.taggedBy);
    if (other === undefined || other.train.digest === train.digest) {
      if (inTraining && train.to < folds) {
        throw new InputError(`${train.to} sentences to learn from, fewer than folds`, { file: train.path });
      }
      return { tags: { ...common, ...(inTraining && { folds }) }, taggedBy: undefined };
    }
    const learnt = availableSentences(other, devShare);
    const learn = selection(other.train, { to: learnt });
    if (overlap(learn, test)) {
      throw new InputError('a tagger would learn from sentences that it is to tag', { file: test.path });
    }
    return { tags: { ...common, learn }, taggedBy: { ...other, learnt } };
  }

  /** The jobs of a cell made of others; none where one of these has none. */
  pooled({ vote, setAside }: PooledSettings, members: readonly Cell[]): string[] {
    if (members.some(({ jobs }) => jobs.length === 0)) return [];
    const names = members.flatMap(({ jobs }) => jobs);
    if (vote === undefined) return names;
    const voters = names.map((name) => this.jobs.get(name) as ParserJob);
    const program = this.context.programOf({ kind: 'vote' });
    if (!needsSetAside(vote)) return [this.add(voteJob(program, vote, voters))];
    const twins = setAsideTwins(voters, setAside);
    for (const twin of twins) this.add(twin);
    return [this.add(voteJob(program, vote, voters, twins))];
  }

  /** Where one training serves a whole sweep: that training, and the step of it that is this cell's. */
  private steps({ options }: TrainedSettings) {
    const { sweep } = this.experiment;
    if (!sweep?.fromOneTraining) return { options, step: undefined };
    const { option, values } = sweep;
    return {
      options: { ...options, [option]: Math.max(...values.map(Number)) },
      scoreEvery: stepUnits[option],
      step: Number(options[option]),
    };
  }

  private add(job: Job): string {
    const name = jobName(job);
    if (job.kind === 'parser') for (const tagging of Object.values(taggingsFor(job))) this.add(tagging);
    this.jobs.set(name, job);
    return name;
  }
}

function selection({ sentences, ...file }: SurveyedFile, { from = 0, to = sentences }): Selection {
  return { ...file, from, to };
}

/** Whether what is scored is the file that is learnt from, of which its last sentences are held out. */
function isHeldOutFrom({ train, dev }: SurveyedTreebank, scored: ScoredTreebank | undefined): boolean {
  return dev === undefined && scored?.dev.digest === train.digest;
}

function testSelection(
  { train, dev }: SurveyedTreebank,
  scoredOn: ScoredTreebank | undefined,
  available: number,
): Selection {
  const file = scoredOn?.dev ?? dev;
  return file === undefined ? selection(train, { from: available }) : selection(file, {});
}

function overlap(a: Selection, b: Selection): boolean {
  return a.digest === b.digest && a.from < b.to && b.from < a.to;
}

/**
 * All sentences of the training file, or those before the ones held out: the last `devShare`, at least one.
 */
function availableSentences({ train, dev }: SurveyedTreebank, devShare: number): number {
  return dev === undefined ? sentencesBefore(devShare, train.sentences, train.path) : train.sentences;
}
