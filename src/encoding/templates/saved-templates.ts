import { UsageError } from '../../errors.ts';
import type { HeaderFields } from '../../model/header-fields.ts';
import { checkTemplates, type TemplateSection } from './template-file.ts';

/** The templates in a model's header; throws `InputError` where they are none of their section. */
export function savedTemplates(fields: HeaderFields, name: string, section: TemplateSection): string[] {
  const templates = fields.texts(name);
  try {
    checkTemplates(templates, section);
  } catch (error) {
    if (error instanceof UsageError) fields.refuse(name, 'templates');
    throw error;
  }
  return templates;
}
