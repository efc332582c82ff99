import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loaded when it is first used: it takes longer to load than all decoders, and few parsers use it. */
const matrixLibrary = (): typeof import('ml-matrix') => require('ml-matrix');

export { matrixLibrary };
