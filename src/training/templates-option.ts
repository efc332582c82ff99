import { z } from 'zod';
import type { TemplateChoice } from '../encoding/templates/choice.ts';

/**
 * The option of which templates a parser has: a list of built-in sets by name, and of templates by section,
 * which the command line reads from files.
 */
export function templatesOption<SetName extends string, Section extends string>(
  sets: readonly SetName[],
  sections: readonly Section[],
  standard: readonly SetName[],
): z.ZodDefault<z.ZodType<TemplateChoice<SetName, Section>[]>> {
  const templates = z.array(z.string()).min(1).optional();
  const lists = z.strictObject(Object.fromEntries(sections.map((section) => [section, templates])));
  const choice = z.union([z.enum(sets), lists]) as z.ZodType<TemplateChoice<SetName, Section>>;
  return z
    .array(choice)
    .min(1)
    .default([...standard])
    .describe('feature templates: built-in sets, or files of templates');
}
