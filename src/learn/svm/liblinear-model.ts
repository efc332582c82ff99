/** The models of LIBLINEAR: a header of `key value` lines, then a line of weights per feature. */
import { InputError, UsageError } from '../../errors.ts';
import { AtomicFile } from '../../files/atomic-file.ts';
import { TextFile } from '../../files/text-file.ts';
import { textLines } from './liblinear-problem.ts';
import { type LinearModel, MOST_WEIGHTS, type SvmLoss } from './linear-model.ts';
import type { SvmMulticlass } from './multiclass.ts';

/** LIBLINEAR's names of the solvers in this library. */
const solverNames = {
  'one-vs-rest': { l1: 'L2R_L1LOSS_SVC_DUAL', l2: 'L2R_L2LOSS_SVC_DUAL' },
  'crammer-singer': { l1: 'MCSVM_CS', l2: 'MCSVM_CS' },
} as const satisfies Record<LiblinearSolver['multiclass'], Record<SvmLoss, string>>;

/** Solvers whose models can be read: those that classify by the highest score. All but `MCSVM_CS` are one-vs-rest. */
const classifiers = new Set([
  'L2R_LR',
  'L2R_L2LOSS_SVC_DUAL',
  'L2R_L2LOSS_SVC',
  'L2R_L1LOSS_SVC_DUAL',
  'MCSVM_CS',
  'L1R_L2LOSS_SVC',
  'L1R_LR',
  'L2R_LR_DUAL',
]);

export interface LiblinearModel {
  readonly model: LinearModel;
  readonly labels: readonly number[];
}

export interface LiblinearSolver {
  /** LIBLINEAR has no pairwise solver. */
  readonly multiclass: Exclude<SvmMulticlass, 'pairwise'>;
  /** Default: `l2`, as in training. */
  readonly loss?: SvmLoss | undefined;
}

/**
 * Writes a model for `liblinear-predict`; for two classes one-vs-rest, only the weights of the first.
 *
 * @throws UsageError for a solver that LIBLINEAR lacks
 */
export async function writeLiblinearModel(
  path: string,
  { model, labels }: LiblinearModel,
  { multiclass, loss = 'l2' }: LiblinearSolver,
): Promise<void> {
  const solver = solverNames[multiclass]?.[loss];
  if (solver === undefined)
    throw new UsageError(`LIBLINEAR has no solver ${multiclass} with the loss ${loss}`);
  const { classes, size, bias, weights } = model;
  const columns = classes === 2 && multiclass === 'one-vs-rest' ? 1 : classes;
  await AtomicFile.writeWhole(path, async (file) => {
    await file.write(
      `solver_type ${solver}\nnr_class ${classes}\nlabel ${labels.join(' ')}\n` +
        `nr_feature ${size}\nbias ${bias ?? -1}\nw\n`,
    );
    for (let at = 0; at < weights.length; at += classes)
      await file.write(`${weights.subarray(at, at + columns).join(' ')} \n`);
  });
}

/** Reads a classification model of LIBLINEAR; throws `InputError`, with the line, for anything else. */
export async function readLiblinearModel(path: string): Promise<LiblinearModel> {
  const parser = new ModelParser(path);
  for await (const line of textLines(new TextFile(path))) parser.add(line.trim());
  return parser.finish();
}

class ModelParser {
  private line = 0;
  private readonly header = new Map<string, string>();
  private weights: Float32Array | undefined;
  private classes = 0;
  private columns = 0;
  private filled = 0;

  constructor(private readonly file: string) {}

  add(text: string): void {
    this.line++;
    if (this.weights !== undefined) this.addWeights(text, this.weights);
    else if (text === 'w') this.begin();
    else {
      const space = `${text} `.indexOf(' ');
      this.header.set(text.slice(0, space), text.slice(space + 1));
    }
  }

  private begin(): void {
    const solver = this.value('solver_type');
    if (!classifiers.has(solver))
      throw this.error(`solver_type '${solver}', expected one for classification`);
    this.classes = this.count('nr_class');
    this.columns = this.classes === 2 && solver !== 'MCSVM_CS' ? 1 : this.classes;
    const rows = this.count('nr_feature') + (this.bias === undefined ? 0 : 1);
    if (rows * this.classes > MOST_WEIGHTS)
      throw this.error(`${rows} rows of ${this.classes} weights are too many`);
    this.weights = new Float32Array(new SharedArrayBuffer(4 * rows * this.classes));
  }

  private addWeights(text: string, weights: Float32Array): void {
    const numbers = text.split(/\s+/).map(Number);
    const { columns, filled } = this;
    const isRow = numbers.length === columns && numbers.every(Number.isFinite);
    if (!isRow || filled === weights.length)
      throw this.error(`'${text}', expected a line of ${columns} weights for every feature, and no more`);
    if (columns < this.classes) numbers.push(-numbers[0]);
    weights.set(numbers, filled);
    this.filled += this.classes;
  }

  finish(): LiblinearModel {
    const { classes, weights, filled } = this;
    if (weights === undefined || filled < weights.length) throw this.error('ends before the last weights');
    const labels = (this.header.get('label') ?? '').split(' ').map(Number);
    if (labels.length !== classes || !labels.every(Number.isInteger))
      throw this.error(`label '${this.header.get('label')}', expected ${classes} whole numbers`);
    return { model: { classes, size: this.count('nr_feature'), bias: this.bias, weights }, labels };
  }

  private get bias(): number | undefined {
    const bias = Number(this.value('bias'));
    return bias >= 0 ? bias : undefined;
  }

  private count(key: string): number {
    const value = this.value(key);
    if (!/^[1-9]\d*$/.test(value)) throw this.error(`${key} '${value}', expected a whole number above 0`);
    return Number(value);
  }

  private value(key: string): string {
    const value = this.header.get(key);
    if (value === undefined) throw this.error(`no ${key}, expected a model of LIBLINEAR`);
    return value;
  }

  private error(problem: string): InputError {
    return new InputError(problem, { file: this.file, line: Math.max(1, this.line) });
  }
}
