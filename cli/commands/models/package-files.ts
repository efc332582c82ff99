import { packageVersion } from '../../../src/platform/package.ts';
import type { TreebankRecord } from '../../../src/training/about-model.ts';
import type { Recipe } from './recipe.ts';

export interface MadeModel {
  readonly recipe: Recipe;
  /** The treebank's title, and what its parts are. */
  readonly treebank: string;
  readonly data: readonly TreebankRecord[];
  readonly bytes: number;
  readonly sha256: string;
  readonly figures: Readonly<Record<string, number>>;
}

export const packageName = (model: string) => `parliament-${model}`;

/** The files of a model's package beside the model itself, by name. The same model gives the same texts. */
export function packageFiles(made: MadeModel): Readonly<Record<string, string>> {
  return { 'package.json': manifest(made), 'README.md': modelCard(made), LICENSE: licence(made) };
}

function manifest({ recipe, treebank }: MadeModel): string {
  const { name, version, title, licence, publishable } = recipe;
  const file = `${name}.model`;
  const fields = {
    name: packageName(name),
    version,
    description: `A ready model for Parliament: ${title}, learnt from ${treebank}.`,
    license: licence,
    ...(publishable ? {} : { private: true }),
    keywords: ['parliament', 'parser', 'dependency-parsing', 'universal-dependencies', 'model'],
    files: [file],
    exports: { [`./${file}`]: `./${file}`, './package.json': './package.json' },
  };
  return `${JSON.stringify(fields, null, 2)}\n`;
}

function licence({ recipe: { licence }, treebank }: MadeModel): string {
  return `This model was learnt from ${treebank} and is licensed as that treebank is: ${licence}
(https://spdx.org/licenses/${licence}.html).
`;
}

/** A model card (Mitchell et al. 2019): what the model is, where it comes from, how good it is, what it is not for. */
function modelCard({ recipe, treebank, data, bytes, sha256, figures }: MadeModel): string {
  const { name, version, title, about, text, measured = {} } = recipe;
  const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const command = (words: readonly string[]) => `parliament ${words.map(quoted).join(' ')}`;
  return `# ${packageName(name)} ${version}

${title}: raw text to tokens, tags, features, lemmas and trees, for Parliament ${packageVersion()} or later.

\`\`\`console
$ echo "Nobody expected the parser to win." | parliament parse --model ${name} --draw
\`\`\`

${about}

## How good it is

F1 in percent on the raw text of the treebank's development part, counted as UD's \`eval.py\` does (labels without subtypes):

${row('metric', 'F1')}
${row('---', '---:')}
${Object.entries(figures)
  .map(([metric, value]) => row(metric, value.toFixed(2)))
  .join('\n')}
${Object.entries(measured)
  .map(([what, value]) => `\n- ${what}: ${value}`)
  .join('')}

## What it learnt from

${treebank}:

${data.map(({ file, digest }) => `- \`${file}\`, SHA-256 \`${digest}\``).join('\n')}
${text === undefined ? '' : `\nRaw text: ${text}\n`}
## How it was made

\`parliament models make ${name}\` makes it again, byte for byte. The commands:

\`\`\`sh
${recipe.steps.map(command).join('\n')}
\`\`\`

\`${name}.model\`: ${bytes.toLocaleString('en')} bytes, SHA-256 \`${sha256}\`. Licence: ${recipe.licence}.
`;
}

const quoted = (word: string) => (/^[\w./{}@=,-]+$/.test(word) ? word : `'${word}'`);
