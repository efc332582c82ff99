import type { TemplateChoice, TemplateChooser } from '../../../src/encoding/templates/choice.ts';
import { chosenOf, templatesInUse, withoutTitles } from '../../../src/encoding/templates/choice.ts';
import { overAttributes } from '../../../src/encoding/templates/notation.ts';
import { withAttributes, withFineTags } from '../../../src/training/attributes.ts';
import { encodeTreebank, numberingOf } from '../../../src/training/examples.ts';
import { buildableExamples } from '../../../src/training/projective-examples.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import type { LinearTrainingData } from '../../linear-method.ts';
import { type TemplateSetName, templateSetNames, templateSets } from '../features/template-sets.ts';
import {
  columnsRead,
  compileTemplates,
  stateNotation,
  type TransitionSection,
  transitionSections,
  withoutRepeats,
} from '../features/templates.ts';
import { mirroredExample } from '../mirror.ts';
import type { OnlineSettings, SvmSettings, TransitionOptions } from '../options.ts';
import { type StackSystemName, stackSystems } from '../systems/registry.ts';
import type { TransitionSettings } from '../transition-model.ts';

export type TransitionTrainingData<Learning> = LinearTrainingData<TransitionSettings, Learning>;

/** Encodes a treebank, and decides on templates and settings. */
export async function readTrainingData<Learning extends OnlineSettings | SvmSettings>(
  treebank: Treebank,
  options: TransitionOptions,
  learning: Learning,
  run: TrainingRun,
): Promise<TransitionTrainingData<Learning>> {
  const { direction, normalize, bits, maxLength } = options;
  const { transitions } = withoutTitles(transitionTemplates.choose(options));
  // The data decide on `singleRoot`; here it does not matter, as only declarations are read.
  const system = stackSystems[options.system](true);
  const columns = (tags: readonly TagColumn[]) => columnsRead(compileTemplates(transitions, tags));
  const whole = await encodeTreebank(treebank, columns, { ...options, stem: 'none' }, run);
  const fineTag = options.tag === undefined ? withFineTags(whole, transitions, run) : undefined;
  const { encoded, attributes } = withAttributes(whole, transitions);
  const { encoder, tags, singleRoot, guides } = encoded;
  const beam = learning.learner === 'svm' ? 0 : learning.beam;
  const readable = { encoder, tags, file: treebank.name };
  const inUse = templatesInUse(
    overAttributes(transitions, attributes),
    stateNotation,
    readable,
    options.templates,
  );
  const templates = withoutRepeats(inUse, tags);
  const settings: TransitionSettings = {
    system: options.system,
    direction,
    beam,
    tags,
    fineTag,
    templates,
    normalize,
    stem: 'none',
    singleRoot,
    bits,
    maxLength,
    guides,
  };
  const buildable = buildableExamples(encoded, system.isProjective, options, run);
  const isMirrored = direction === 'right-to-left';
  const examples = isMirrored ? buildable.examples.map(mirroredExample) : buildable.examples;
  const numbering = numberingOf(encoded, { ...buildable, examples });
  return { settings, numbering, learning: { ...learning, silver: encoded.silver }, examples };
}

export interface TemplateOptions {
  readonly templates: readonly TemplateChoice<TemplateSetName, TransitionSection>[];
  readonly system: StackSystemName;
}

export const transitionTemplates: TemplateChooser<TemplateOptions, TransitionSection> = {
  sections: transitionSections,
  sets: templateSetNames,
  choose: ({ templates, system }) => ({
    transitions: chosenOf(
      templates,
      'transitions',
      transitionSections.transitions,
      templateSets(stackSystems[system](true)),
    ),
  }),
};
