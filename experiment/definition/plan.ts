import type { Paradigm } from '../../parsers/parser.ts';
import { InputError, UsageError } from '../../src/errors.ts';
import type { Job, ParserJob, PredictedTags, Program, Selection } from '../jobs/job.ts';
import { jobName, taggingsFor } from '../jobs/job.ts';
import type { Work } from '../jobs/program.ts';
import { countOf, firstOf, restOf } from '../jobs/selection.ts';
import type { CellSettings, FileSettings, PooledSettings, TrainedSettings } from './cell-settings.ts';
import { isTrained, tagsItself } from './cell-settings.ts';
import type { Experiment } from './experiment.ts';
import { layOut } from './layout.ts';
import { Leakage } from './leakage.ts';
import { stepUnits } from './schema.ts';
import type { ScoredPart, ScoredTreebank, SurveyedTreebank, TreebankSurvey } from './treebanks.ts';
import {
  availableSentences,
  isHeldOutFrom,
  learnable,
  outputSelection,
  selection,
  testSelection,
} from './treebanks.ts';
import { needsSetAside, sentencesBefore, type Voter, voteJob, weightLearningJobs } from './vote-plan.ts';

/** A treebank that only the taggers are trained on, with the number of its sentences used. */
export interface OtherTreebank extends SurveyedTreebank {
  readonly learnt: number;
}

/** A planned cell of a table. */
export interface Cell {
  readonly row: string;
  readonly column: string;
  readonly part: ScoredPart;
  readonly settings: CellSettings;
  /** Here and below, a combined cell has the values of its first member. */
  readonly treebank: SurveyedTreebank;
  /** Undefined: scored on its own treebank. */
  readonly scoredOn: ScoredTreebank | undefined;
  /** Training treebank of the taggers, if not the parser's. */
  readonly taggedBy: OtherTreebank | undefined;
  /** Number of training sentences available, without those held out. */
  readonly available: number;
  /** Number of training sentences used: the first ones. */
  readonly trainSentences: number;
  /** Names of its jobs, one per seed. Empty if sentences, the part, or another program's file are missing. */
  readonly jobs: readonly string[];
  /** Number of epochs or members after which the cell is scored, if one training serves a whole sweep. */
  readonly step: number | undefined;
}

export interface Plan {
  readonly experiment: Experiment;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Cells scored on dev parts, row by row. */
  readonly cells: readonly (readonly Cell[])[];
  /** The same cells scored on test parts, if requested. */
  readonly finalCells: readonly (readonly Cell[])[] | undefined;
  /** By name: jobs that several cells share are run once. */
  readonly jobs: ReadonlyMap<string, Job>;
  /** Rows of a learning curve that are left out because no treebank has that many sentences. */
  readonly tooMany: readonly string[];
  /**
   * One for each pair of files that share sentences, if one is trained on and the other is scored; and one if the baseline
   * is among the rows that are left out.
   */
  readonly warnings: readonly string[];
}

interface PlanContext {
  readonly known: readonly Paradigm[];
  readonly survey: TreebankSurvey;
  programOf(work: Work): Program;
}

/**
 * Lays out a table, reads its treebanks, and plans its jobs. Throws what `layOut` and `TreebankSurvey` throw, and
 * `InputError` if test parts are requested and no treebank has one here.
 */
export async function planExperiment(experiment: Experiment, context: PlanContext): Promise<Plan> {
  const { rows, columns, cells } = layOut(experiment, context.known);
  const planner = new Planner(experiment, context);
  const cellAt = async (part: ScoredPart, i: number, j: number): Promise<Cell> => {
    const settings = cells[i][j];
    const place = { row: rows[i], column: columns[j], part };
    if (isTrained(settings)) return { ...place, ...(await planner.trained(settings, part)) };
    if ('file' in settings) return { ...place, ...(await planner.given(settings, part)) };
    const members: Cell[] = [];
    for (const { row, column } of settings.of) members.push(await cellAt(part, row, column));
    return { ...members[0], ...place, settings, jobs: planner.pooled(settings, members) };
  };
  const scoredOn = async (part: ScoredPart) => {
    const planned: Cell[][] = rows.map(() => []);
    for (const [i, row] of planned.entries())
      for (const j of columns.keys()) row.push(await cellAt(part, i, j));
    return planned;
  };
  const dev = await scoredOn('dev');
  const finalCells = experiment.final ? withTests(await scoredOn('test'), experiment) : undefined;
  const { jobs, leakage } = planner;
  const table = { experiment, rows, columns, cells: dev, finalCells, jobs };
  return withoutShortRows({ ...table, tooMany: [], warnings: leakage.warnings() });
}

/** Leaves out the rows of a learning curve with more sentences than any treebank has, unless these are all rows. */
function withoutShortRows(plan: Plan): Plan {
  const { experiment, cells, finalCells } = plan;
  const { sweep, baseline } = experiment;
  const isShort = ({ trainSentences, available }: Cell) => trainSentences > available;
  const isKept = (_: unknown, i: number) => ![...cells[i], ...(finalCells?.[i] ?? [])].every(isShort);
  const rows = plan.rows.filter(isKept);
  if (sweep === undefined || rows.length === 0 || rows.length === plan.rows.length) return plan;
  const { values, reported } = sweep;
  const kept = { values: values.filter(isKept), reported: reported?.filter(isKept) };
  const isLeftOut = baseline !== undefined && plan.rows.includes(baseline) && !rows.includes(baseline);
  const compared = isLeftOut ? undefined : baseline;
  const notice = `no row is compared with the baseline, ${baseline}, which is left out`;
  return {
    ...plan,
    experiment: { ...experiment, baseline: compared, sweep: { ...sweep, ...kept } },
    warnings: isLeftOut ? [...plan.warnings, notice] : plan.warnings,
    rows,
    cells: cells.filter(isKept),
    finalCells: finalCells?.filter(isKept),
    tooMany: plan.rows.filter((row) => !rows.includes(row)),
  };
}

function withTests(cells: Cell[][], { file }: Experiment): Cell[][] {
  const treebanks = cells.flat().map(({ treebank, scoredOn }) => scoredOn ?? treebank);
  if (treebanks.some(({ test }) => test !== undefined)) return cells;
  const titles = [...new Set(treebanks.map(({ title }) => title))];
  const have = titles.length === 1 ? 'has' : 'have';
  throw new InputError(`${titles.join(', ')} ${have} no test part to score on`, { file });
}

type PlannedCell = Omit<Cell, 'row' | 'column' | 'part'>;

/** Plans cells one by one, and collects their jobs. */
class Planner {
  readonly jobs = new Map<string, Job>();
  readonly leakage: Leakage;

  constructor(
    private readonly experiment: Experiment,
    private readonly context: PlanContext,
  ) {
    this.leakage = new Leakage(context.survey);
  }

  async trained(settings: TrainedSettings, part: ScoredPart): Promise<PlannedCell> {
    const { paradigm, seeds, guides, folds, morphology } = settings;
    const { treebank, scoredOn, available, test } = await this.place(settings, part);
    const wanted = settings.trainSentences ?? available;
    const isShort =
      wanted > available &&
      wanted < Number.POSITIVE_INFINITY &&
      this.experiment.sweep?.option === 'trainSentences';
    const trainSentences = isShort ? wanted : Math.min(wanted, available);
    const { step, ...training } = this.steps(settings);
    const cell = { settings, treebank, scoredOn, available, trainSentences, step };
    if (isShort || test === undefined) return { ...cell, taggedBy: undefined, jobs: [] };
    const asked = firstOf(learnable(treebank, part), trainSentences);
    this.leakage.note(treebank, asked, test);
    const { train, heldOut } = this.divided(settings, asked);
    const stacking = guides.length === 0 ? undefined : { guides: [...guides], folds };
    const work = { kind: 'parser' as const, paradigm, ...(stacking && { stacking }) };
    const { tags, taggedBy } = await this.tags(settings, train, test, part);
    const program = this.context.programOf(work);
    const common = { ...work, program, ...training, train, ...heldOut, test };
    const silver = await this.silver(settings, treebank, test);
    const optional = { ...(tags && { tags }), ...(morphology && { morphology }), ...(silver && { silver }) };
    const jobs = seeds.map((seed) => this.add({ ...common, ...optional, seed }));
    return { ...cell, taggedBy, jobs };
  }

  /** Holds out the last training sentences, never scored ones, if the training chooses among its epochs. */
  private divided({ paradigm, options, setAside }: TrainedSettings, sentences: Selection) {
    const { needsHeldOut } = this.context.known.find(({ name }) => name === paradigm)!;
    if (!needsHeldOut?.(options)) return { train: sentences };
    const { sweep, file } = this.experiment;
    if (sweep?.fromOneTraining)
      throw new InputError('sweep.fromOneTraining: its training cannot choose among its epochs', { file });
    const learnt = sentencesBefore(setAside, countOf(sentences), sentences.path);
    return { train: firstOf(sentences, learnt), heldOut: { heldOut: restOf(sentences, learnt) } };
  }

  async given(settings: FileSettings, part: ScoredPart): Promise<PlannedCell> {
    const { survey, programOf } = this.context;
    const { treebank, scoredOn, available, test } = await this.place(settings, part);
    const cell = { settings, treebank, scoredOn, taggedBy: undefined, available, trainSentences: 0 };
    const path = fileOf(settings, part);
    if (path === undefined || test === undefined) return { ...cell, jobs: [], step: undefined };
    const file = await survey.findFile(path, test.encoding);
    const trees = outputSelection(file, test, survey.count(test));
    const program = programOf({ kind: 'file' });
    return { ...cell, jobs: [this.add({ kind: 'file', program, test, trees })], step: undefined };
  }

  /** A cell's treebanks, and the selection to score; undefined if the treebank has no such part. */
  private async place(settings: TrainedSettings | FileSettings, part: ScoredPart) {
    const { devShare, maxTokens } = settings;
    const { survey } = this.context;
    const isFinal = part === 'test';
    const treebank = await survey.find(settings.treebank, isFinal);
    const { scoreOn } = settings;
    const other = scoreOn === undefined ? undefined : await survey.findScored(scoreOn, isFinal);
    const scoredOn = isHeldOutFrom(treebank, other) ? undefined : other;
    const available = availableSentences(treebank, scoredOn, part, devShare);
    const test = testSelection(treebank, scoredOn, part, available);
    if (isFinal && test !== undefined && this.leakage.isLearnt(learnable(treebank, part), test)) {
      const problem = 'the test part is in the training data, expected other files to train on';
      throw new InputError(problem, { file: test.path });
    }
    const scored = test && { ...test, maxTokens };
    if (scored?.maxTokens !== undefined && survey.count(scored) === 0) {
      const problem = `no sentence to score is as short as maxTokens, ${maxTokens}`;
      throw new InputError(problem, { file: scored.path });
    }
    return { treebank, scoredOn, available, test: scored };
  }

  /** How tags are predicted, if they are, and the taggers' treebank if it is not the parser's. */
  private async tags(
    { tags, folds, devShare, paradigm, options, ...settings }: TrainedSettings,
    train: Selection,
    test: Selection,
    part: ScoredPart,
  ): Promise<{ tags?: PredictedTags; taggedBy: OtherTreebank | undefined }> {
    if (tags === 'gold') return { taggedBy: undefined };
    if (tagsItself(paradigm, options))
      throw new UsageError(
        `tags ${tags}: this ${paradigm} parser tags for itself; with "tags": "given" among its options it reads tags`,
      );
    const { survey, programOf } = this.context;
    const besideGold = tags === 'both';
    const inTraining = tags === 'predicted' || besideGold;
    const program = programOf({ kind: 'tagging' });
    const common = { program, inTraining, ...(besideGold && { besideGold }) };
    const other = settings.taggedBy === undefined ? undefined : await survey.find(settings.taggedBy);
    if (other === undefined || other.train.digest === train.digest) {
      if (inTraining && countOf(train) < folds) {
        const problem = `${countOf(train)} training sentences, fewer than folds`;
        throw new InputError(problem, { file: train.path });
      }
      return { tags: { ...common, ...(inTraining && { folds }) }, taggedBy: undefined };
    }
    const learnt = availableSentences(other, undefined, part, devShare);
    const learn = firstOf(learnable(other, part), learnt);
    if (this.leakage.isLearnt(learn, test))
      throw new InputError('the tagger would be trained on sentences that it is to tag', { file: test.path });
    this.leakage.note(other, learn, test);
    return { tags: { ...common, learn }, taggedBy: { ...other, learnt } };
  }

  /** The silver trees to train on; throws `InputError` if the scored sentences are among them. */
  private async silver(
    { silver: asked }: TrainedSettings,
    treebank: SurveyedTreebank,
    test: Selection,
  ): Promise<ParserJob['silver']> {
    if (asked === undefined) return undefined;
    const { trees: path, sentences, ...weighing } = asked;
    const file = await this.context.survey.findFile(path);
    const all = selection(file);
    if (this.leakage.sharesText(all, test))
      throw new InputError('the silver trees contain sentences to be scored', { file: path });
    const trees = sentences === undefined ? all : firstOf(all, Math.min(sentences, countOf(all)));
    this.leakage.note(treebank, trees, test, 'text');
    return { trees, ...weighing };
  }

  pooled({ vote, setAside }: PooledSettings, members: readonly Cell[]): string[] {
    if (members.some(({ jobs }) => jobs.length === 0)) return [];
    const names = members.flatMap(({ jobs }) => jobs);
    if (vote === undefined) return names;
    const voters = names.map((name) => this.jobs.get(name) as Voter);
    const program = this.context.programOf({ kind: 'vote' });
    const twins = needsSetAside(vote) ? weightLearningJobs(voters, setAside) : undefined;
    for (const twin of twins ?? []) this.add(twin);
    return [this.add(voteJob(program, vote, voters, twins))];
  }

  /** If one training serves a whole sweep: its options, and this cell's step within it. */
  private steps({ options }: TrainedSettings) {
    const { sweep } = this.experiment;
    if (!sweep?.fromOneTraining) return { options, step: undefined };
    const { option, values } = sweep;
    const longest = { ...options, [option]: Math.max(...values.map(Number)) };
    return { options: longest, scoreEvery: stepUnits[option], step: Number(options[option]) };
  }

  private add(job: Job): string {
    const name = jobName(job);
    if (job.kind === 'parser') for (const tagging of Object.values(taggingsFor(job))) this.add(tagging);
    this.jobs.set(name, job);
    return name;
  }
}

/** A file name without `{part}` names the dev part's file. */
function fileOf({ file }: FileSettings, part: ScoredPart): string | undefined {
  if (file === undefined || (part === 'test' && !file.includes('{part}'))) return undefined;
  return file.replaceAll('{part}', part);
}
