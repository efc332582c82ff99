// Finds what is wrong with prose: spelling, grammar, and sentences too long to be read once. Needs no network.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { binary, Dialect, LocalLinter } from 'harper.js';
import { markdownProse } from './markdown.mjs';
import { namesAsCode } from './names.mjs';
import { sourceProse } from './source.mjs';

/**
 * A piece of prose that stands by itself, with the line of the file that it begins at; its lines are the file's.
 * @typedef {{ line: number, text: string }} Passage
 */

/** Rules of taste, and rules that take the terms of the field, its formulas and its punctuation for mistakes. */
const rulesOff = [
  'AdjectiveOfA',
  'AnA', // of single letters that are names
  'BuiltIn',
  'CapitalizePersonalPronouns', // i is an index
  'CompoundNouns',
  'CondenseAllThe',
  'Dashes',
  'DiscourseMarkers',
  'DisjointPrefixes',
  'Everyone', // of what is no person
  'ExpandDependencies', // DEPS is a column
  'ExpandMemoryShorthands',
  'ExpandMinimum',
  'ExpandStandardInputAndOutput',
  'ExpandTimeShorthands',
  'MassNouns',
  'MergeWords',
  'MissingPreposition',
  'MissingTo',
  'Months',
  'OrthographicConsistency',
  'Overall',
  'OxfordComma',
  'PhrasalVerbAsCompoundNoun',
  'QuantifierNumeralConflict',
  'SentenceCapitalization',
  'SingleBe',
  'Spaces', // what is aligned in columns
  'ToTwoToo',
  'UseTitleCase',
  'VerbToAdjective',
];

/** The project's terms and the names it mentions, one per line. */
const words = readFileSync(join(import.meta.dirname, 'words.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .flatMap((word) => [word, `${word}'s`]);

/**
 * Gives a function that finds the mistakes of a file, each as `file:line: message`.
 * @returns {Promise<(file: string, text: string) => Promise<string[]>>}
 */
export async function proseChecker() {
  const linter = new LocalLinter({ binary, dialect: Dialect.British });
  const off = Object.fromEntries(rulesOff.map((rule) => [rule, false]));
  await linter.setLintConfig({ ...(await linter.getDefaultLintConfig()), ...off });
  await linter.importWords(words);
  return async (file, text) => {
    const passages = file.endsWith('.md') ? markdownProse(text) : sourceProse(text, file);
    const prose = joined(passages.map(({ line, text: words }) => ({ line, text: namesAsCode(words) })));
    const found = Object.entries(await linter.organizedLints(prose.text));
    return found
      .flatMap(([rule, lints]) =>
        lints.map((lint) => ({ line: prose.lineAt(lint.span().start), message: message(rule, lint) })),
      )
      .sort((a, b) => a.line - b.line)
      .map(({ line, message }) => `${file}:${line}: ${message}`);
  };
}

/** All passages as one text, and from an offset in it, in characters, to the line in the file. */
function joined(passages) {
  const text = passages.map((passage) => passage.text).join('\n\n');
  const lines = passages.flatMap((passage) => [
    ...passage.text.split('\n').map((_, i) => passage.line + i),
    passage.line,
  ]);
  const characters = [...text];
  return {
    text,
    lineAt: (offset) => lines[characters.slice(0, offset).filter((character) => character === '\n').length],
  };
}

function message(rule, lint) {
  const suggested = lint.suggestions().map((suggestion) => suggestion.get_replacement_text());
  const instead = suggested.filter((text) => text !== '').slice(0, 3);
  const problem = lint.get_problem_text().replace(/\s+/g, ' ');
  const shown = problem.length > 60 ? `${problem.slice(0, 60)}…` : problem;
  const better = instead.length === 0 ? '' : ` (${instead.join(', ')}?)`;
  return `“${shown}” ${lint.message()}${better} [${rule}]`;
}
