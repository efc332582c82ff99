import {
  chosenOf,
  type TemplateChoice,
  type TemplateChooser,
} from '../../../src/encoding/templates/choice.ts';
import type { TemplateGroup } from '../../../src/encoding/templates/template-file.ts';
import { OptionError } from '../../../src/errors.ts';
import type { BigramSettings } from '../settings.ts';
import { arcPatterns, labelPatterns } from './built-in.ts';
import { type BigramSection, bigramSections } from './sections.ts';

export const templateSetNames = ['standard'] as const;
type TemplateSetName = (typeof templateSetNames)[number];

const standard = { arcs: { standard: arcPatterns }, labels: { standard: labelPatterns } };

/** The options that say which templates a parser has. */
export interface TemplateOptions extends Pick<BigramSettings, 'estimate'> {
  readonly templates: readonly TemplateChoice<TemplateSetName, BigramSection>[];
}

/** What is counted of arcs and of labels; Zeman's estimate of arcs counts what it always counts. */
export const bigramTemplates: TemplateChooser<TemplateOptions, BigramSection> = {
  sections: bigramSections,
  sets: templateSetNames,
  choose({ templates, estimate }) {
    const groups = (name: BigramSection): TemplateGroup[] => {
      const asked = chosenOf(templates, name, bigramSections[name], standard[name]);
      return asked.length > 0 ? asked : [{ title: 'standard', templates: standard[name].standard }];
    };
    if (estimate !== 'zeman') return { arcs: groups('arcs'), labels: groups('labels') };
    if (templates.some((choice) => typeof choice !== 'string' && choice.arcs !== undefined)) {
      throw new OptionError(
        (option) =>
          `${option('templates')} of arcs go with ${option('estimate', 'interpolated')}, not with ${estimate}`,
      );
    }
    return { arcs: [], labels: groups('labels') };
  },
};
