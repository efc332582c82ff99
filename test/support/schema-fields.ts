import { z } from 'zod';

/** A field of data with its path (`steps[].score`), and its type and description in the schema. */
export interface SchemaField {
  readonly path: string;
  readonly type: string;
  readonly description: string;
  readonly isOptional: boolean;
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
}

/** All fields of a schema, each before the fields within it; the fields of decisions are left out. */
export function schemaFields(schema: z.ZodType): SchemaField[] {
  return fieldsOf(z.toJSONSchema(schema, { reused: 'inline' }) as JsonSchema, '');
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema, prefix: string): SchemaField[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const described = { description: field.description ?? '', isOptional: !required.includes(name) };
    return [{ path, type: typeOf(field), ...described }, ...within(field, path)];
  });
}

/** The fields within a field; if it has several forms, each path of any form is listed once. */
function within(field: JsonSchema, path: string): SchemaField[] {
  if (isDecision(field)) return [];
  const forms = field.anyOf ?? field.oneOf;
  if (forms !== undefined) {
    const all = forms.flatMap((form) => within(form, path));
    return all.filter((one, i) => all.findIndex((other) => other.path === one.path) === i);
  }
  if (field.type === 'array') return within(field.items!, `${path}[]`);
  return field.type === 'object' ? fieldsOf(field, `${path}.`) : [];
}

function isDecision({ properties }: JsonSchema): boolean {
  return properties !== undefined && 'alternatives' in properties;
}

function typeOf(schema: JsonSchema): string {
  if (isDecision(schema)) return 'decision';
  const { type, const: only, enum: choices, anyOf, oneOf, items } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (choices !== undefined) return choices.map((choice) => JSON.stringify(choice)).join(' or ');
  const forms = anyOf ?? oneOf;
  if (forms !== undefined) return [...new Set(forms.map(typeOf))].join(' or ');
  if (type === 'array') return `list of ${typeOf(items!)}`;
  return [type ?? 'value'].flat().join(' or ');
}
