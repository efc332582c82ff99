/** Packages that take long to load and are needed rarely: loaded on first use, at once. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** The tables of all encodings but UTF-8. */
export const tables = (): typeof import('iconv-lite') => require('iconv-lite');

export const matrixLibrary = (): Pick<typeof import('ml-matrix'), 'Matrix' | 'inverse'> =>
  require('ml-matrix');
