import { InputError, type Place, UsageError } from '../../errors.ts';
import type { HeaderFields } from '../../model/header-fields.ts';
import { canonical, listed } from './notation.ts';

/** A kind of template with a heading in template files, such as `[labels]`. */
export interface TemplateSection {
  readonly legend: readonly string[];
  /** Throws `UsageError` for a template that is invalid after `earlier` ones of its section. */
  check(template: string, earlier: readonly string[]): void;
}

/** Templates by section; for a missing section, the built-in templates are used. */
export type TemplateLists<Name extends string> = {
  readonly [Section in Name]?: readonly string[] | undefined;
};

export type TemplateSections<Name extends string> = Readonly<Record<Name, TemplateSection>>;

export interface TemplateGroup {
  readonly title: string;
  readonly templates: readonly string[];
}

const HEADING = /^\[(.*)\]$/;

/**
 * Reads templates, one per line. A line such as `[labels]` begins a section; templates before it belong to the first one.
 * `#` starts a comment. Throws `InputError` with the line of a mistake.
 */
export function readTemplateFile<Name extends string>(
  text: string,
  file: string,
  sections: TemplateSections<Name>,
): TemplateLists<Name> {
  const names = Object.keys(sections) as Name[];
  const lists: Partial<Record<Name, string[]>> = {};
  let section = names[0];
  text.split('\n').forEach((line, i) => {
    const place = { file, line: i + 1 };
    const content = canonical(line.replace(/#.*/, ''));
    const heading = HEADING.exec(content);
    if (heading !== null) section = sectionNamed(heading[1].trim(), names, place);
    else if (content !== '') {
      lists[section] ??= [];
      placed(() => sections[section].check(content, lists[section]!), place);
      lists[section]!.push(content);
    }
  });
  if (Object.keys(lists).length === 0) throw new InputError('no template in it', { file });
  return lists;
}

/** Throws `UsageError` for the first invalid template of a list. */
export function checkTemplates(templates: readonly string[], section: TemplateSection): void {
  for (const [i, template] of templates.entries()) section.check(template, templates.slice(0, i));
}

/** Formats templates for `readTemplateFile`, below a legend of the notation. */
export function formatTemplates<Name extends string>(
  groups: Readonly<Record<Name, readonly TemplateGroup[]>>,
  sections: TemplateSections<Name>,
): string {
  const names = (Object.keys(sections) as Name[]).filter((name) => groups[name].length > 0);
  const lines = names.map((name, i) => {
    const { legend } = sections[name];
    const isKnown = i > 0 && sections[names[i - 1]].legend.join() === legend.join();
    return [
      `[${name}]`,
      ...(isKnown ? [] : [FORM, ...legend].map((line) => `# ${line}`.trimEnd())),
      ...groups[name].flatMap(({ title, templates }) => ['', `# ${title}`, ...templates]),
    ].join('\n');
  });
  return `${lines.join('\n\n')}\n`;
}

const FORM = `One template per line: fields separated by blanks. A field is a node, one of its values and, to read a
# neighbouring token instead, an offset; or a word without a node.`;

function sectionNamed<Name extends string>(name: string, names: readonly Name[], place: Place): Name {
  const found = names.find((known) => known === name);
  if (found !== undefined) return found;
  const expected = listed(names.map((known) => `[${known}]`));
  throw new InputError(`“[${name}]” is not a section, expected ${expected}`, place);
}

/** Calls `action`; converts a `UsageError` to an `InputError` with the line of a file. */
function placed(action: () => void, place: Place): void {
  try {
    action();
  } catch (error) {
    throw error instanceof UsageError ? new InputError(error.message, place) : error;
  }
}

/** Maximum number of templates in a section of a model: checking them takes quadratic time. */
export const MOST_TEMPLATES = 4096;

/** Reads templates from a model's header; throws `InputError` if they are invalid. */
export function savedTemplates(fields: HeaderFields, name: string, section: TemplateSection): string[] {
  const templates = fields.texts(name);
  if (templates.length > MOST_TEMPLATES) fields.refuse(name, `at most ${MOST_TEMPLATES} templates`);
  try {
    checkTemplates(templates, section);
  } catch (error) {
    if (error instanceof UsageError) fields.refuse(name, 'templates');
    throw error;
  }
  return templates;
}
