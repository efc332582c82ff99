import { z } from 'zod';
import { OptionError } from '../../src/errors.ts';
import { learnerNames } from '../../src/learn/linear/learner.ts';
import type { SilverExamples } from '../../src/training/examples.ts';
import {
  between,
  encodingOptions,
  keepOption,
  linearOptions,
  maxLengthOption,
  patienceOption,
  pseudoProjectiveOption,
  refuseMemberOptions,
  shuffleOption,
  singleLearner,
  templatesOption,
  whole,
} from '../../src/training/options.ts';
import { templateSetNames } from './features/template-sets.ts';
import type { TransitionSection } from './features/templates.ts';
import { nonProjectiveSystems, stackSystemNames, systemsWithDynamicOracle } from './systems/registry.ts';
import { directions } from './transition-model.ts';

/**
 * Defaults of options that depend on the learner. They are not in the schema, so that explicit options can be refused
 * with another learner.
 *
 * Chosen by mean LAS in cross-validation on the training parts of eleven treebanks (docs/transitions.md): 10 epochs lose
 * 0.7, 20 gain 0.3 in a third more time; a form dropout of 0 loses 0.8, of 0.25 to 1 nothing; early update loses 3.
 * Costs on UD English EWT dev: 0.03 to 0.1 differ by less than 0.1 UAS, 0.01 loses 0.3.
 */
export const standard = { beam: 8, update: 'max-violation', epochs: 25, formDropout: 1, cost: 0.05 } as const;

/** Training options of the transition-based parser, with all defaults. */
export const transitionOptions = z.strictObject({
  system: z
    .enum(stackSystemNames)
    .default('arc-eager')
    .describe(`transition system; non-projective trees with ${nonProjectiveSystems.join(', ')} only`),
  ...linearOptions([...learnerNames, 'svm'], 'averaged-perceptron'),
  pseudoProjective: pseudoProjectiveOption,
  direction: z
    .enum(directions)
    .default('left-to-right')
    .describe('parsing direction; parsers of opposite directions make different errors, which helps a vote'),
  beam: whole(1, 256)
    .optional()
    .describe(
      `beam width: number of configurations that the search keeps (default: 1 with svm, else ${standard.beam})`,
    ),
  oracle: z
    .enum(['static', 'dynamic'])
    .default('static')
    .describe(
      `with ${systemsWithDynamicOracle.join(', ')} and a beam of 1, not with svm: dynamic also learns from configurations after mistakes`,
    ),
  update: z
    .enum(['early', 'max-violation'])
    .optional()
    .describe(
      `with a beam: where to update the weights in a wrongly parsed sentence, where the gold derivation leaves the beam or where it falls behind most (default: ${standard.update})`,
    ),
  epochs: whole(1, 1000)
    .optional()
    .describe(`not with svm: passes over the training sentences (default: ${standard.epochs})`),
  patience: patienceOption,
  keep: keepOption,
  cost: between(1e-6, 1e6)
    .optional()
    .describe(`with svm: cost C of errors in training (default: ${standard.cost})`),
  templates: templatesOption(
    templateSetNames,
    ['transitions'] satisfies TransitionSection[],
    templateSetNames,
  ),
  ...encodingOptions,
  shuffle: shuffleOption,
  formDropout: between(0, 1000)
    .optional()
    .describe(
      `not with svm: word dropout: in training, replace a form seen m times by the unknown form with probability n / (n + m) (default: ${standard.formDropout})`,
    ),
  bits: whole(10, 28).default(22).describe('2^n weights'),
  maxLength: maxLengthOption(1000),
});

export type TransitionOptions = z.infer<typeof transitionOptions>;

/** Settings of online learning. */
export type OnlineSettings = Readonly<ReturnType<typeof onlineSettings>> & {
  readonly silver?: SilverExamples | undefined;
};

export type SvmSettings = { readonly learner: 'svm'; readonly cost: number; readonly bits: number };

/** Returns the settings of online learning with defaults; throws `OptionError` for options that contradict each other. */
export function onlineSettings(options: TransitionOptions) {
  const { system, oracle, beam = standard.beam, update, cost, patience, keep, shuffle, bits } = options;
  const { epochs = standard.epochs, formDropout = standard.formDropout } = options;
  const learner = singleLearner(options);
  if (oracle === 'dynamic' && (!systemsWithDynamicOracle.includes(system) || beam !== 1)) {
    throw new OptionError(
      (option) =>
        `${option('oracle', oracle)} goes with ${option('system', systemsWithDynamicOracle.join(' or '))} and ${option('beam', 1)}`,
    );
  }
  if (update !== undefined && beam === 1) refuse('update', update, 'beam', 'of more than 1');
  if (cost !== undefined) refuse('cost', cost, 'learner', 'svm');
  const own = { learner, oracle, epochs, patience, keep, shuffle, formDropout, bits, beam };
  return { ...own, update: update ?? standard.update };
}

/** Returns the settings of support vector machines; throws `OptionError` for options that do not go with them. */
export function svmSettings(options: TransitionOptions): SvmSettings {
  refuseMemberOptions(options);
  const { beam, oracle, update, epochs, patience, keep, shuffle, formDropout, bits } = options;
  const { cost = standard.cost } = options;
  const asked = {
    beam: beam === 1 ? undefined : beam,
    oracle: oracle === 'static' ? undefined : oracle,
    update,
    epochs,
    patience,
    keep: keep === 'last' ? undefined : keep,
    shuffle: shuffle ? undefined : shuffle,
    formDropout,
  };
  const stray = Object.entries(asked).find(([, value]) => value !== undefined);
  if (stray === undefined) return { learner: 'svm', cost, bits };
  throw new OptionError((option) => `${option(...stray)} does not go with ${option('learner', 'svm')}`);
}

function refuse(name: string, value: unknown, companion: string, companionValue: string): never {
  throw new OptionError((option) => `${option(name, value)} goes with ${option(companion, companionValue)}`);
}
