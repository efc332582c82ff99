/** The file system, its paths and streams; pages have none (files.browser.ts). */

export { isUtf8 } from 'node:buffer';
export {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
export { mkdir, readdir, realpath, stat } from 'node:fs/promises';
export { createRequire } from 'node:module';
export { homedir, hostname, platform } from 'node:os';
export { basename, dirname, extname, join, normalize, resolve, sep } from 'node:path';
export { pipeline, Readable } from 'node:stream';
export { pipeline as piped } from 'node:stream/promises';
export { fileURLToPath } from 'node:url';
export { getSystemErrorMap } from 'node:util';
export { createGunzip } from 'node:zlib';
