import { Matrix } from 'ml-matrix';
import { UsageError } from '../errors.ts';

export function encodingLibrary(): never {
  throw new UsageError('a page reads UTF-8 alone');
}

export const matrixLibrary = () => ({ Matrix });
