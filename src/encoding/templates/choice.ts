import { OptionError, UsageError } from '../../errors.ts';
import type { TagColumn } from '../../treebank/columns/names.ts';
import type { ColumnEncoder } from '../columns.ts';
import { type ColumnValue, columnValues, listed, type Notation, type TemplateField } from './notation.ts';
import type { TemplateGroup, TemplateLists, TemplateSection, TemplateSections } from './template-file.ts';
import { checkTemplates, MOST_TEMPLATES } from './template-file.ts';

/** A choice of templates: the name of a built-in set, or lists of templates. */
export type TemplateChoice<SetName extends string, Section extends string> = SetName | TemplateLists<Section>;
export type ChosenTemplates<Section extends string> = Readonly<Record<Section, readonly TemplateGroup[]>>;

/** The sections and built-in sets of a parser's templates, and the choice that options make. */
export interface TemplateChooser<Options, Section extends string = string> {
  readonly sections: TemplateSections<Section>;
  readonly sets: readonly string[];
  /** Returns the templates that options choose; throws `UsageError` for an invalid one. */
  choose(options: Options): ChosenTemplates<Section>;
}

/**
 * Lists the chosen templates of a section, in the order of the choices; throws `UsageError` for an invalid one.
 * @param sets the built-in templates of this section
 */
export function chosenOf<SetName extends string, Section extends string>(
  choices: readonly TemplateChoice<SetName, Section>[],
  name: Section,
  section: TemplateSection,
  sets: Readonly<Partial<Record<SetName, readonly string[]>>>,
): TemplateGroup[] {
  const groups = choices.flatMap((choice) => {
    const templates = typeof choice === 'string' ? sets[choice] : choice[name];
    if (templates === undefined) return [];
    if (typeof choice !== 'string') checkTemplates(templates, section);
    return { title: typeof choice === 'string' ? choice : 'given', templates };
  });
  // `m:*` may turn a template into four, and a model with more than `MOST_TEMPLATES` cannot be opened.
  if (groups.reduce((sum, { templates }) => sum + templates.length, 0) > MOST_TEMPLATES / 4)
    throw new UsageError(`more than ${MOST_TEMPLATES / 4} templates of ${name}`);
  return groups;
}

/** Lists the templates of each section without the titles of their groups. */
export function withoutTitles<Section extends string>(chosen: ChosenTemplates<Section>) {
  const lists = Object.entries<readonly TemplateGroup[]>(chosen).map(([section, groups]) => [
    section,
    groups.flatMap(({ templates }) => templates),
  ]);
  return Object.fromEntries(lists) as Record<Section, string[]>;
}

/**
 * Selects the templates whose columns are filled in the training data; throws `OptionError` if there is none.
 * @param asked the value of the option that chose the templates
 */
export function templatesInUse(
  templates: readonly string[],
  notation: Notation,
  readable: { readonly encoder: ColumnEncoder; readonly tags: readonly TagColumn[]; readonly file: string },
  asked: readonly unknown[],
): string[] {
  const { encoder, tags, file } = readable;
  const isMissing: Partial<Record<string, boolean>> = {
    m: !encoder.isFilled('feats'),
    l: !encoder.isFilled('lemma'),
    x: tags.length < 2,
  };
  const missingIn = (fields: readonly TemplateField[]) =>
    fields
      .map(({ value }) => value)
      .filter((value) =>
        value.startsWith('m:') ? !encoder.isFilled(`feats:${value.slice(2)}`) : isMissing[value],
      );
  const inUse = templates.filter((template) => missingIn(notation.read(template)).length === 0);
  if (inUse.length > 0) return inUse;
  const missing = new Set(templates.flatMap((template) => missingIn(notation.read(template))));
  const meanings = [...missing].map((value) => columnValues[value.split(':')[0] as ColumnValue]);
  const sets = asked.every((choice) => typeof choice === 'string') ? asked.join(',') : undefined;
  throw new OptionError((option) => `${option('templates', sets)}: ${file} has no ${listed(meanings)}`);
}
