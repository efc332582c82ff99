import {
  chosenOf,
  type TemplateChoice,
  type TemplateChooser,
} from '../../../src/encoding/templates/choice.ts';
import { type StackSystemName, stackSystems } from '../systems/registry.ts';
import { type TemplateSetName, templateSetNames, templateSets } from './template-sets.ts';
import { type TransitionSection, transitionSections } from './templates.ts';

/** The options that say which templates a parser has. */
export interface TemplateOptions {
  readonly templates: readonly TemplateChoice<TemplateSetName, TransitionSection>[];
  readonly system: StackSystemName;
}

/** Which templates transitions are chosen by. */
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
