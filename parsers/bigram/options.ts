import { z } from 'zod';
import { chosenOf, type TemplateChoice, type TemplateChooser } from '../../src/encoding/templates/choice.ts';
import type { TemplateGroup } from '../../src/encoding/templates/template-file.ts';
import { OptionError } from '../../src/errors.ts';
import { between, encodingOptions, maxLengthOption, templatesOption } from '../../src/training/options.ts';
import { type BigramSettings, bigramDecoders, estimates } from './bigram-model.ts';
import { type BigramSection, bigramSections } from './patterns.ts';

export const arcPatterns: readonly string[] = [
  'hp dp',
  'hp dp distance < hp dp',
  'hp dp between < hp dp',
  'hp dp crossed < hp dp',
  'hp hx dp dx < hp dp',
  'hp hx dp dx distance < hp hx dp dx',
  'hp hx dp dx between < hp hx dp dx',
  'hp hx dp dx crossed < hp hx dp dx',
  'hp hm dp dm < hp dp',
  'hp hm dp dm between < hp dp between',
  'hp hx dp dx df distance < hp hx dp dx distance',
  'hp hx hf dp dx distance < hp hx dp dx distance',
  'hp hf dp df distance < hp dp distance',
  'hp hx dp dx dl between < hp hx dp dx between',
  'hp hx hl dp dx between < hp hx dp dx between',
  'hp hl dp dl < hp dp',
  'hp hp+1 dp dp-1 between < hp dp between',
  'hp dp-1 dp dp+1 distance < hp dp distance',
  'hp-1 hp hp+1 dp distance < hp dp distance',
  'hp-1 hp hp+1 dp-1 dp dp+1 distance < hp dp-1 dp dp+1 distance',
  'hp dp dm:* < hp dp',
  'hp dp dm:* distance < hp dp dm:*',
  'hp hm:* dp dm:* < hp dp',
  'hp hf dp dm:* < hp dp',
];

export const labelPatterns: readonly string[] = [
  'hp dp',
  'hp hx dp dx < hp dp',
  'hp dp dm < hp dp',
  'hp hm dp dm < hp dp dm',
  'hp hx dp dx df < hp hx dp dx',
  'hp hl dp dl < hp dp',
  'hp dp dl < hp dp',
  'hp dp marker < hp dp',
  'hp dp dm marker < hp dp marker',
  'hp hx dp dx sibling < hp hx dp dx',
  'hp hx dp dx distance < hp hx dp dx',
  'hp dp-1 dp dp+1 < hp dp',
  'hp-1 hp hp+1 dp < hp dp',
  'hp dp dm:* < hp dp',
  'hp hm:* dp dm:* < hp dp',
  'hp hf dp dm:* < hp dp',
];

const templateSetNames = ['standard'] as const;
type TemplateSetName = (typeof templateSetNames)[number];

const standard = { arcs: { standard: arcPatterns }, labels: { standard: labelPatterns } };

interface TemplateOptions extends Pick<BigramSettings, 'estimate'> {
  readonly templates: readonly TemplateChoice<TemplateSetName, BigramSection>[];
}

/** Zeman's estimate has no arc templates. */
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

const ZEMAN_LAMBDA = 0.734375;

export const bigramOptions = z.strictObject({
  estimate: z
    .enum(estimates)
    .default('interpolated')
    .describe('interpolated patterns with weights learnt on held-out data, or the DZ parser (Zeman 1998)'),
  decoder: z
    .enum(bigramDecoders)
    .optional()
    .describe('search for the best tree (default: eisner; with zeman: greedy)'),
  lambda: between(0, 1)
    .optional()
    .describe(`with zeman: weight of pairs of forms against pairs of tags (default: ${ZEMAN_LAMBDA})`),
  templates: templatesOption(
    templateSetNames,
    ['arcs', 'labels'] satisfies BigramSection[],
    templateSetNames,
  ),
  ...encodingOptions,
  maxLength: maxLengthOption(500),
});

export type BigramOptions = z.infer<typeof bigramOptions>;

/** Returns the options of estimate and decoder with defaults; throws `OptionError` if they contradict each other. */
export function searchSettings({ estimate, decoder, lambda }: BigramOptions) {
  if (lambda !== undefined && estimate !== 'zeman') {
    throw new OptionError(
      (option) =>
        `${option('lambda', lambda)} goes with ${option('estimate', 'zeman')}, not with ${estimate}`,
    );
  }
  const standard = estimate === 'zeman' ? 'greedy' : 'eisner';
  return { estimate, decoder: decoder ?? standard, lambda: lambda ?? ZEMAN_LAMBDA };
}
