// Everything that index.ts exports, by its groups: declarations and their comments, and the options of schemas.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declarationsIn } from './declarations.mjs';

const { ...values } = await import('../../dist/index.js');

/** @returns {Promise<import('./contents.mjs').Page[]>} */
export async function apiPages() {
  return groups().map(({ title, names }) => ({
    file: `api-${title
      .toLowerCase()
      .replaceAll(/[^a-z]+/g, '-')
      .replaceAll(/^-|-$/g, '')}.html`,
    title,
    text: `# ${title}\n\n${names.map(nameText).join('\n\n')}\n`,
    source: '',
  }));
}

/** The groups of index.ts: a line of comment begins each. */
function groups() {
  const all = [];
  const part = /^\/\/ (?<title>[^:\n]*).*$|^export (?:type )?\{(?<list>[^}]*)\} from '(?<file>[^']*)'/gm;
  for (const { groups } of readFileSync('index.ts', 'utf8').matchAll(part)) {
    if (groups.title !== undefined) {
      all.push({ title: groups.title, names: [] });
      continue;
    }
    const declared = declarationsIn(join('dist', groups.file.replace(/\.ts$/, '.d.ts')));
    for (const [, name, exported = name] of groups.list.matchAll(/\b(?!type\s)(\w+)(?: as (\w+))?/g)) {
      const declaration = declared.get(name);
      if (declaration === undefined) throw new Error(`${groups.file} declares no ${name}`);
      const text = declaration.text.replace(new RegExp(`\\b${name}\\b`, 'g'), exported);
      all.at(-1).names.push({ name: exported, comment: declaration.comment, text });
    }
  }
  return all.filter(({ names }) => names.length > 0);
}

function nameText({ name, comment, text }) {
  const schema = values[name];
  const isSchema = schema?.shape !== undefined;
  const shown = isSchema ? text.replace(/: z\.Zod\w+<[\s\S]*/, ': z.ZodObject') : text;
  const parts = [`## ${name}`, comment, `\`\`\`ts\n${shown}\n\`\`\``, isSchema ? fieldTable(schema) : ''];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The fields of a schema of options, with what it says of them. */
function fieldTable({ shape }) {
  const rows = Object.entries(shape).map(([name, field]) => {
    const { description } = field;
    const standard = field.def.defaultValue;
    return `| \`${name}\` | ${cell(description ?? '')} | ${standard === undefined ? '' : `\`${cell(JSON.stringify(standard))}\``} |`;
  });
  return ['| option | meaning | default |', '| --- | --- | --- |', ...rows].join('\n');
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
