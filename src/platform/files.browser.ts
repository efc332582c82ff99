/** A page has no files: every access is refused. Paths are plain names. */
import { UsageError } from '../errors.ts';

function refuse(): never {
  throw new UsageError('a page has no files, expected bytes or text');
}

export {
  refuse as accessSync,
  refuse as closeSync,
  refuse as createGunzip,
  refuse as createReadStream,
  refuse as createRequire,
  refuse as dirname,
  refuse as existsSync,
  refuse as extname,
  refuse as fchmodSync,
  refuse as fileURLToPath,
  refuse as fstatSync,
  refuse as fsyncSync,
  refuse as getSystemErrorMap,
  refuse as homedir,
  refuse as hostname,
  refuse as isUtf8,
  refuse as join,
  refuse as lstatSync,
  refuse as mkdir,
  refuse as openSync,
  refuse as piped,
  refuse as pipeline,
  refuse as platform,
  refuse as Readable,
  refuse as readdir,
  refuse as readdirSync,
  refuse as readFileSync,
  refuse as readlinkSync,
  refuse as readSync,
  refuse as realpath,
  refuse as realpathSync,
  refuse as renameSync,
  refuse as resolve,
  refuse as rmSync,
  refuse as stat,
  refuse as statSync,
  refuse as utimesSync,
  refuse as writeFileSync,
  refuse as writeSync,
};

export const constants = { W_OK: 2 };
export const sep = '/';

export function normalize(path: string): string {
  return path;
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf(sep) + 1);
}
