import { Command, Option } from 'commander';
import { z } from 'zod';
import { UsageError } from '../../src/errors.ts';
import { describeIssue, type Issue } from '../../src/schema-issue.ts';
import { decimal, flagName, inRange, integer, knownValues, list, refuseRepeated } from './common.ts';

interface Property {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  /** Placeholder of the value in help; default: by its type. */
  readonly placeholder?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Property;
  readonly anyOf?: readonly Property[];
}

/**
 * Makes command-line options from a schema's fields. A boolean that is true by default becomes `--no-…`; one without a
 * default becomes both flags.
 */
export function optionsOfSchema(schema: z.ZodType): Option[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, property]) =>
    optionsOf(flagName(name).slice(2), property),
  );
}

/** Parses the schema's options among those given; throws `UsageError` for an invalid one. */
export function readOptions<T>(schema: z.ZodType<T>, given: Readonly<Record<string, unknown>>): T {
  const names = Object.keys(propertiesOf(schema));
  const parsed = schema.safeParse(Object.fromEntries(names.map((name) => [name, given[name]])));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues as [Issue];
  const [name] = issue.path;
  const problem = describeIssue({ ...issue, path: [] });
  throw new UsageError(name === undefined ? problem : `option '${flagName(String(name))}': ${problem}`);
}

function propertiesOf(schema: z.ZodType): Record<string, Property> {
  return (z.toJSONSchema(schema, { io: 'input' }).properties ?? {}) as Record<string, Property>;
}

function optionsOf(flag: string, property: Property): Option[] {
  const { type, description = '' } = property;
  if (type === 'boolean') return switches(flag, property);
  const option = new Option(`--${flag} <${placeholder(property)}>`, description + rangeNote(property));
  if (type === 'integer') option.argParser(integer(rangeOf(property)));
  if (type === 'number') option.argParser(decimal(rangeOf(property)));
  const choices = property.enum ?? property.items?.enum ?? namesAmong(property.items);
  if (choices !== undefined) option.choices(choices);
  if (type === 'array') option.argParser(listOf(property.items ?? {}));
  if (property.default !== undefined) option.default(property.default, String(property.default));
  return [option];
}

function namesAmong(items: Property | undefined): readonly string[] | undefined {
  return items?.anyOf?.find((alternative) => alternative.enum !== undefined)?.enum;
}

function switches(flag: string, { default: on, description = '' }: Property): Option[] {
  const enable = new Option(`--${flag}`, description);
  const disable = new Option(`--no-${flag}`, on === undefined ? `the opposite of --${flag}` : description);
  if (on === undefined) return [enable, disable.default(undefined)];
  return on ? [disable] : [enable.default(false)];
}

function placeholder({ type, items, placeholder }: Property): string {
  if (placeholder !== undefined) return placeholder;
  if (type === 'array') return items?.type === 'integer' ? 'n,…' : 'a,b,…';
  return type === 'integer' || type === 'number' ? 'n' : 'value';
}

/** Returns a parser of values separated by commas; an empty text is the empty list. */
function listOf(items: Property): (text: string) => unknown[] {
  const read: (value: string) => unknown = items.type === 'integer' ? integer(rangeOf(items)) : String;
  return (text) => {
    const values = text === '' ? [] : list(text);
    return knownValues(values, items.enum ?? values).map((value) => read(value));
  };
}

const rangeOf = ({ minimum, maximum }: Property) => ({ min: declared(minimum), max: declared(maximum) });

/** The bound; undefined for the limits of exact integers, which zod adds. */
function declared(bound: number | undefined): number | undefined {
  return bound === undefined || Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound;
}

function rangeNote(property: Property): string {
  const range = inRange(rangeOf(property));
  return range === '' ? '' : `,${range}`;
}

/** Reads options from a text, as in `--decoder eisner --epochs 3`; messages begin with `within`. */
export function optionsInText(schema: z.ZodType, text: string, within: string): Record<string, unknown> {
  const command = new Command().exitOverride().configureOutput({ outputError: () => undefined });
  command.helpOption(false).allowExcessArguments(false);
  for (const option of optionsOfSchema(schema)) command.addOption(option);
  refuseRepeated(command);
  try {
    const words = text.split(/\s+/).filter((word) => word !== '');
    command.parse(words, { from: 'user' });
  } catch (error) {
    const problem = (error as Error).message.replace(/^error: /, '');
    throw new UsageError(`${within}: ${problem}`);
  }
  return command.opts();
}
