import { digestOf } from '../../../digest.ts';
import { InputError } from '../../../errors.ts';
import { isRegularFile } from '../../../files/files.ts';
import { type GivenFile, givenFile } from '../../../files/given-file.ts';
import { join } from '../../../platform/files.ts';

/** The paths of the files of a published encoder; undefined for optional files that are missing. */
export type EncoderFiles = ReturnType<typeof encoderFiles>;

/** Finds the files of an encoder; throws `InputError` if the model or its tokenizer is missing. */
export function encoderFiles(folder: string) {
  const find = (...names: readonly string[]) =>
    names.map((name) => join(folder, name)).find((path) => isRegularFile(path));
  const model = find('model.onnx', 'onnx/model.onnx');
  const tokenizer = find('tokenizer.json');
  if (model === undefined || tokenizer === undefined) {
    const missing = model === undefined ? 'model.onnx or onnx/model.onnx' : 'tokenizer.json';
    const problem = `no ${missing} in this folder, expected an encoder exported to ONNX`;
    throw new InputError(problem, { file: folder });
  }
  return {
    model,
    // Weights beyond the 2 GB that the model itself may have.
    weights: find('model.onnx_data', 'onnx/model.onnx_data'),
    tokenizer,
    tokenizerConfig: find('tokenizer_config.json'),
    config: find('config.json'),
  };
}

/** A published encoder as the value of an option, identified by a digest of all its files. */
export function givenEncoder(folder: string): GivenFile {
  const files = Object.entries(encoderFiles(folder)).flatMap(([name, path]) =>
    path === undefined ? [] : `${name} ${givenFile(path).digest}\n`,
  );
  return { path: folder, digest: digestOf(files) };
}
