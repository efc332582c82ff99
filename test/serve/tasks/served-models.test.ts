import { expect, test } from 'vitest';
import { findModel, type ServedModel } from '../../../serve/tasks/served-models.ts';

const models = ['english-gum-ud-2.12', 'english-ewt', 'english-gum', 'czech'].map(
  (name): ServedModel => ({ name, kind: 'vote', abilities: [], members: [] }),
);
const found = (name?: string) => findModel(models, name).name;

test('a model is found by its name or a beginning of it up to a hyphen; no name finds the first model', () => {
  expect(found()).toBe('english-gum-ud-2.12');
  expect(found('')).toBe('english-gum-ud-2.12');
  expect(found('english')).toBe('english-gum-ud-2.12');
  expect(found('english-gum-ud')).toBe('english-gum-ud-2.12');
  expect(found('english-ewt')).toBe('english-ewt');
  expect(found('czech')).toBe('czech');
});

test('a whole name takes precedence over the beginning of another name', () => {
  expect(found('english-gum')).toBe('english-gum');
});

test.each(['eng', 'English', 'english-', 'czech-pdt', '-', '__proto__'])(
  '%s is not the name of a model',
  (name) => {
    expect(() => found(name)).toThrow(`there is no model called ${JSON.stringify(name)}`);
  },
);
