import { type Html, html } from '../../src/report/html/html.ts';

/** The part of JSON Schema that describes an option. */
export interface OptionSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
}

type OptionSchemas = Readonly<Record<string, OptionSchema>>;
export type OptionValues = Readonly<Record<string, unknown>>;

/** Renders a field for each option, filled with the values of `given`; an empty field means the paradigm's default. */
export function optionFields(schemas: OptionSchemas, given: OptionValues): Html {
  const fields = Object.entries(schemas).map(([name, schema]) => {
    const { description } = schema;
    const id = `option-${name}`;
    return html`<div class="option"><label for="${id}">${labelOf(name, schema)}</label>
${control(name, schema, given[name])}
<p class="note" id="${id}-note">${description}</p></div>\n`;
  });
  return html`${fields}`;
}

/** Reads the values of the fields; options with an empty field are left out. */
export function optionValues(schemas: OptionSchemas, box: ParentNode): OptionValues {
  const values = Object.entries(schemas).map(([name, schema]) => {
    const field = box.querySelector<HTMLInputElement | HTMLSelectElement>(`#option-${name}`)!;
    return [name, fieldValue(schema, field)] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Names an option as on the command line: `no …` if it is on by default. */
function labelOf(name: string, schema: OptionSchema): string {
  const words = name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return isSwitchedOff(schema) ? `no ${words}` : words;
}

const isSwitchedOff = (schema: OptionSchema) => schema.type === 'boolean' && schema.default === true;

function control(name: string, schema: OptionSchema, value: unknown): Html {
  const { type, enum: choices, default: standard, minimum, maximum, multipleOf } = schema;
  const common = html`id="option-${name}" aria-describedby="option-${name}-note"`;
  if (type === 'boolean') {
    const isOn = value !== undefined && value === !isSwitchedOff(schema);
    return html`<input type="checkbox" ${common}${isOn ? html` checked` : undefined}>`;
  }
  const shown = standard === undefined ? 'automatic' : String(standard);
  if (choices !== undefined) {
    // Members of a Bayes Point Machine train in threads, which pages lack.
    const options = choices
      .filter((choice) => choice !== 'bayes-point')
      .map((choice) => html`<option${choice === value ? html` selected` : undefined}>${choice}</option>`);
    return html`<select ${common}><option value="">default: ${shown}</option>${options}</select>`;
  }
  const text = value === undefined ? '' : String(value);
  if (type !== 'integer' && type !== 'number')
    return html`<input type="text" ${common} value="${text}" placeholder="${shown}">`;
  const step = type === 'integer' ? (multipleOf ?? 1) : 'any';
  return html`<input type="number" ${common} value="${text}" placeholder="${shown}" min="${minimum}" max="${maximum}" step="${step}">`;
}

function fieldValue(schema: OptionSchema, field: HTMLInputElement | HTMLSelectElement): unknown {
  const { type } = schema;
  if (type === 'boolean') {
    const { checked } = field as HTMLInputElement;
    return checked ? !isSwitchedOff(schema) : undefined;
  }
  const text = field.value.trim();
  if (text === '') return undefined;
  if (type === 'array') return text.split(',').map((each) => each.trim());
  return type === 'integer' || type === 'number' ? Number(text) : text;
}
