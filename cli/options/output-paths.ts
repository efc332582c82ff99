import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command, Option } from 'commander';
import { InputError, UsageError } from '../../src/errors.ts';
import { replacedInput } from '../../src/files/atomic-file.ts';
import { explaining, fileIdentity, isRegularFile, targetOf } from '../../src/files/files.ts';
import { STANDARD_STREAM } from '../../src/files/text-file.ts';

interface Output {
  readonly path: string;
  readonly name: string;
}

const outputNames: readonly string[] = ['output', 'html', 'svg', 'tikz', 'plot'];
/** Names of pictures that are not SVG. */
const otherPicture = /\.(png|jpe?g|gif|webp|pdf|eps|ps)$/i;

/** Checks the output files that a command's options and arguments name, before it runs. */
export function checkNamedOutputs(command: Command): void {
  const inputs: string[] = [];
  const outputs: Output[] = [];
  const add = (name: string, label: string, value: unknown) => {
    const paths = [value].flat().filter((path) => typeof path === 'string');
    if (['svg', 'plot'].includes(name)) for (const path of paths) checkSvgName(label, path);
    if (outputNames.includes(name)) outputs.push(...paths.map((path) => ({ path, name: label })));
    else inputs.push(...paths);
  };
  for (const option of command.options.filter(namesFile)) {
    const name = option.attributeName();
    add(name, option.long ?? name, command.getOptionValue(name));
  }
  for (const [i, argument] of command.registeredArguments.entries())
    add(argument.name(), `<${argument.name()}>`, command.processedArgs[i]);
  checkOutputs(outputs, inputs);
}

function checkSvgName(label: string, path: string): void {
  if (otherPicture.test(path))
    throw new UsageError(`${label} ${path}: the picture is SVG, expected a name that ends in .svg`);
}

const namesFile = ({ flags }: Option) => /<[^>]*file/.test(flags);

/** Throws for outputs that cannot be written, are inputs, or are the same file, also through links. */
export function checkOutputs(outputs: readonly Output[], inputs: readonly string[]): void {
  const written = new Map<string, Output>();
  for (const output of outputs) {
    const input = replacedInput(output.path, inputs);
    if (input !== undefined)
      throw new UsageError(`${nameOf(output)} would replace the input ${inputName(input)}`);
    const found = fileIdentity(output.path === STANDARD_STREAM ? 1 : output.path);
    const other = found === undefined ? undefined : written.get(found);
    if (other !== undefined) throw new UsageError(`${nameOf(other)} and ${nameOf(output)} are one file`);
    if (output.path === '') throw new UsageError(`${output.name} has no name`);
    checkWritable(output.path);
    if (found !== undefined) written.set(found, output);
  }
}

const nameOf = ({ name, path }: Output) => (path === STANDARD_STREAM ? 'standard output' : `${name} ${path}`);
const inputName = (path: string) => (path === STANDARD_STREAM ? 'on standard input' : path);

function checkWritable(path: string): void {
  if (path === STANDARD_STREAM) return;
  explaining(path, 'cannot be written', () => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory())
      throw new InputError('cannot be written: is a folder, expected a file', { file: path });
    if (found !== undefined) accessSync(path, constants.W_OK);
    if (found === undefined || found.isFile()) checkFolder(dirname(targetOf(path)));
  });
}

function checkFolder(folder: string): void {
  if (!statSync(folder).isDirectory()) throw new InputError('is not a folder', { file: folder });
  accessSync(folder, constants.W_OK);
}

/** Checks, before hours of training, that the model and the files beside it can be written and are not inputs. */
export function checkModelPath(model: string, beside: readonly string[], inputs: readonly string[]): void {
  if (model === STANDARD_STREAM || isRegularFile(model) === false)
    throw new InputError('not a regular file: a model cannot be written there', { file: model });
  const others = beside.map((path) => ({ name: 'beside --model,', path }));
  checkOutputs([{ name: '--model', path: model }, ...others], inputs);
}
