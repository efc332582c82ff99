/** Packages that are slow to load and rarely needed: loaded synchronously on first use. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** The codecs of all encodings but UTF-8. */
export const encodingLibrary = (): typeof import('iconv-lite') => require('iconv-lite');

export const matrixLibrary = (): Pick<typeof import('ml-matrix'), 'Matrix'> => require('ml-matrix');
