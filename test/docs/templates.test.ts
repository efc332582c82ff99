import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findParadigm } from '../../parsers/registry.ts';
import { readTemplateFile } from '../../src/encoding/templates/template-file.ts';
import { packageFolder } from '../../src/platform/package.ts';

const textOf = (name: string) => readFileSync(join(packageFolder, 'docs', name), 'utf8');
const examplesIn = (name: string) =>
  [...textOf(name).matchAll(/^```templates (\w+)\n(.*?)^```$/gms)].map(([, paradigm, text]) => ({
    name: paradigm!,
    text: text!,
  }));
const page = textOf('templates.md');
const examples = examplesIn('templates.md');

test('every paradigm with templates has an example on the page about templates', () => {
  expect(examples.map(({ name }) => name)).toEqual(['graph', 'transition', 'bigram']);
});

test.each(examples)('the example for $name can be used', async ({ name, text }) => {
  const { templates } = await findParadigm(name);
  const [first] = Object.values(readTemplateFile(text, 'templates.md', templates!.sections));
  expect(first!.length).toBeGreaterThan(2);
});

test('the example with parts larger than arcs can be used', async () => {
  const { templates } = await findParadigm('graph');
  const [example] = examplesIn('graph.md');
  const lists = readTemplateFile(example!.text, 'graph.md', templates!.sections);
  expect(Object.keys(lists)).toEqual(['arcs', 'siblings', 'grandparents']);
});

test('the error message on the page is the one that the program gives', async () => {
  const { templates } = await findParadigm('graph');
  const [message] = /^mine\.templates:3: .*$/m.exec(page)!;
  expect(() => readTemplateFile('hf\n\nhf dq', 'mine.templates', templates!.sections)).toThrow(message);
});
