import { z } from 'zod';
import { encodingOptions, maxLengthOption, shuffleOption } from '../../src/encoding/options.ts';
import { UsageError } from '../../src/errors.ts';
import { stackSystems, systemsWithDynamicOracle } from './systems/registry.ts';

const systemNames = ['yamada-matsumoto', ...Object.keys(stackSystems)] as [string, ...string[]];

/**
 * What stands in for options that were left open. They have no defaults in the schema, so that one that was
 * asked for, but goes with another system or learner, can be told from one that was not.
 *
 * Of beams, on UD English EWT dev, 10 epochs: one of 8 gets 90.33 UAS, 88.71 LAS, one of 16 90.40, 88.71, in
 * twice the time.
 */
const standard = { beam: 8, update: 'max-violation', epochs: 10, degree: 2, context: '2,4' } as const;

/**
 * What a violated margin costs (C) where the options do not say. Of stack and buffer found on UD English EWT:
 * 0.03 to 0.1 differ by less than 0.1 UAS, 0.01 loses 0.3. Of Yamada–Matsumoto by degree: what kernels add up
 * to differs.
 */
export const standardCosts = { linear: 0.05, kernel: { 1: 0.1, 2: 0.01, 3: 0.01 } } as const;

/** Training options of the transition-based parsers: the only place that knows their defaults. */
export const transitionOptions = z.object({
  system: z
    .enum(systemNames)
    .default('arc-eager')
    .describe('which transitions there are; arc-swap alone builds non-projective trees'),
  learner: z
    .enum(['averaged-perceptron', 'svm'])
    .optional()
    .describe('how transitions are learnt (default: svm for yamada-matsumoto, else averaged-perceptron)'),
  direction: z
    .enum(['left-to-right', 'right-to-left'])
    .default('left-to-right')
    .describe(
      'from which end sentences are parsed: the other way errs in other places, and is good to vote with',
    ),
  beam: z
    .int()
    .min(1)
    .max(256)
    .optional()
    .describe(`how many configurations the search keeps (default: 1 with svm, else ${standard.beam})`),
  oracle: z
    .enum(['static', 'dynamic'])
    .default('static')
    .describe(
      `with ${systemsWithDynamicOracle.join(', ')}, the perceptron and --beam 1: learn from configurations with mistakes, too`,
    ),
  update: z
    .enum(['early', 'max-violation'])
    .optional()
    .describe(
      `with a beam: up to where a sentence is learnt from that was parsed wrong (default: ${standard.update})`,
    ),
  epochs: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe(`with the perceptron: passes over the training sentences (default: ${standard.epochs})`),
  degree: z
    .int()
    .min(1)
    .max(3)
    .optional()
    .describe(
      `degree of the polynomial kernel (default: ${standard.degree} with yamada-matsumoto; other systems with svm: 1)`,
    ),
  context: z
    .string()
    .regex(/^\d,\d$/, 'expected LEFT,RIGHT, as 2,4')
    .optional()
    .describe(
      `with yamada-matsumoto: nodes to the left and right of the pair that features look at (default: ${standard.context})`,
    ),
  children: z.boolean().default(true).describe('with yamada-matsumoto: no features of the children of nodes'),
  splitByTag: z
    .boolean()
    .optional()
    .describe('with yamada-matsumoto: one model for each tag of the left node (default), not one for all'),
  cost: z
    .number()
    .min(1e-6)
    .max(1e6)
    .optional()
    .describe(
      `with svm: what an error in training costs (default: ${standardCosts.linear}; with yamada-matsumoto ${standardCosts.kernel[2]}, degree 1: ${standardCosts.kernel[1]})`,
    ),
  ...encodingOptions,
  shuffle: shuffleOption,
  bits: z.int().min(10).max(28).default(22).describe('there are 2^n weights'),
  maxLength: maxLengthOption(1000),
});

export type TransitionOptions = z.infer<typeof transitionOptions>;

/** The options with nothing left open that does not depend on the data. */
export const fullTransitionOptions = transitionOptions.required({
  learner: true,
  beam: true,
  update: true,
  epochs: true,
  degree: true,
  context: true,
  splitByTag: true,
});

export type FullTransitionOptions = z.infer<typeof fullTransitionOptions>;

/** Fills in what was left open; throws `UsageError` for options that contradict each other. */
export function fullOptions(asked: TransitionOptions): FullTransitionOptions {
  checkTogether(asked);
  const learner = usesSvm(asked) ? 'svm' : 'averaged-perceptron';
  return {
    ...asked,
    learner,
    beam: asked.beam ?? (learner === 'svm' ? 1 : standard.beam),
    update: asked.update ?? standard.update,
    epochs: asked.epochs ?? standard.epochs,
    degree: asked.degree ?? standard.degree,
    context: asked.context ?? standard.context,
    splitByTag: asked.splitByTag ?? true,
  };
}

/** Whether transitions are learnt by support vector machines. */
export function usesSvm({ system, learner }: TransitionOptions): boolean {
  return learner === 'svm' || system === 'yamada-matsumoto';
}

/** Refuses, with a `UsageError`, options that contradict each other. */
export function checkTogether(asked: TransitionOptions): void {
  const { system, learner, oracle, direction, beam = standard.beam } = asked;
  const isYamadaMatsumoto = system === 'yamada-matsumoto';
  const isSvm = usesSvm(asked);
  if (isYamadaMatsumoto && learner === 'averaged-perceptron') {
    throw new UsageError('--system yamada-matsumoto goes with --learner svm');
  }
  if (oracle === 'dynamic' && (!systemsWithDynamicOracle.includes(system) || isSvm || beam !== 1)) {
    const systems = systemsWithDynamicOracle.join(' or ');
    refuse(['--oracle dynamic'], `--system ${systems}, --learner averaged-perceptron and --beam 1`);
  }
  if (isSvm) {
    const wide = beam > 1 ? typed('beam', asked.beam) : [];
    const ofEpochs = [...typed('epochs', asked.epochs), ...switchedOff('shuffle', asked.shuffle)];
    refuse([...wide, ...ofEpochs], '--learner averaged-perceptron, not with svm');
  } else refuse(typed('cost', asked.cost), '--learner svm');
  if (isSvm || beam === 1) refuse(typed('update', asked.update), 'a --beam of more than 1');
  if (isYamadaMatsumoto) {
    if (direction !== 'left-to-right') refuse(typed('direction', direction), `other systems than ${system}`);
    return;
  }
  const { degree, context, children, splitByTag } = asked;
  // The classifiers of the other systems are linear, which is degree 1.
  if (degree === 1 && !isSvm) refuse(typed('degree', degree), '--learner svm');
  refuse(
    [
      ...(degree === 1 ? [] : typed('degree', degree)),
      ...typed('context', context),
      ...switchedOff('children', children),
      ...(splitByTag === undefined ? [] : [splitByTag ? '--split-by-tag' : '--no-split-by-tag']),
    ],
    '--system yamada-matsumoto',
  );
}

/** An option as it was typed, if it was. */
function typed(flag: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${flag} ${value}`];
}

function switchedOff(flag: string, isOn: boolean): string[] {
  return isOn ? [] : [`--no-${flag}`];
}

/** Throws where there is an option that only goes with others. */
function refuse([option]: readonly string[], companions: string): void {
  if (option !== undefined) throw new UsageError(`${option} goes with ${companions}`);
}
