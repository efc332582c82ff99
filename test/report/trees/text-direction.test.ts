import { expect, test } from 'vitest';
import { isRightToLeft } from '../../../src/report/trees/arc-layout.ts';

const words = (text: string) => ['', ...text.split(' ')];

test('a sentence is written from right to left if most of its words are in a right-to-left script', () => {
  expect(isRightToLeft(words('הילדה קוראת ספר .'))).toBe(true);
  expect(isRightToLeft(words('قرأت البنت كتاب Java 17 .'))).toBe(true);
  expect(isRightToLeft(words('she wrote שלום on it'))).toBe(false);
});

test('words without letters do not count, and a sentence without letters is written from left to right', () => {
  expect(isRightToLeft(words('( 1 ) 2 . - שלום !'))).toBe(true);
  expect(isRightToLeft(words('1 , 2 .'))).toBe(false);
  expect(isRightToLeft([''])).toBe(false);
});
