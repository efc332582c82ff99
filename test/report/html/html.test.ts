import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Html, html, scriptData } from '../../../src/report/html/html.ts';

test('a template escapes the texts and numbers that are put into it', () => {
  expect(html`<p title="${'"a" & \'b\''}">${'<b>'} ${1.5}</p>`.text).toBe(
    '<p title="&#34;a&#34; &#38; \'b\'">&#60;b&#62; 1.5</p>',
  );
});

test('a template takes other pieces of HTML as they are, lists of them one by one, and nothing for nothing', () => {
  const item = (text: string) => html`<li>${text}</li>`;
  expect(html`<ul>${['a', '<'].map(item)}${undefined}${null}${new Html('<li>')}</ul>`.text).toBe(
    '<ul><li>a</li><li>&#60;</li><li></ul>',
  );
});

test('no text can leave the place in a template where it was put', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'<>&"\'\0/;#a ') }), (text) => {
      expect(html`${text}`.text).not.toMatch(/[<>"\0]/);
    }),
  );
});

test('data of a script element cannot end it, and are read back as they were', () => {
  const hostile = { '</script>': ['<!--<script>', ']]>', '\u2028', '&lt;'] };
  const { text } = scriptData(hostile);
  expect(text).not.toContain('<');
  expect(JSON.parse(text)).toEqual(hostile);
});
