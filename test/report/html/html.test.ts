import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Html, html, scriptData } from '../../../src/report/html/html.ts';

test('a template escapes the texts and numbers that are put into it', () => {
  expect(html`<p title="${'"a" & \'b\''}">${'<b>'} ${1.5}</p>`.text).toBe(
    '<p title="&#34;a&#34; &#38; \'b\'">&#60;b&#62; 1.5</p>',
  );
});

test('a template inserts HTML unescaped, lists item by item, and nothing for null and undefined', () => {
  const item = (text: string) => html`<li>${text}</li>`;
  expect(html`<ul>${['a', '<'].map(item)}${undefined}${null}${new Html('<li>')}</ul>`.text).toBe(
    '<ul><li>a</li><li>&#60;</li><li></ul>',
  );
});

test('no inserted text can break out of its place in a template', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'<>&"\'\0/;#a ') }), (text) => {
      expect(html`${text}`.text).not.toMatch(/[<>"\0]/);
    }),
  );
});

test('data in a script element cannot end the element, and are read back unchanged', () => {
  const hostile = { '</script>': ['<!--<script>', ']]>', '\u2028', '&lt;'] };
  const { text } = scriptData(hostile);
  expect(text).not.toContain('<');
  expect(JSON.parse(text)).toEqual(hostile);
});
