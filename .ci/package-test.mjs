// Tries the built package as its users get it: packed, installed into an empty project, checked by several versions of
// TypeScript, run by several versions of Node. What cannot be got to try it with counts as failed.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const versions = JSON.parse(readFileSync('test/package/tools/package.json', 'utf8'));
const typeScripts = Object.keys(versions.dependencies);
const nodes = Object.keys(versions.optionalDependencies);

const folder = mkdtempSync(join(tmpdir(), 'parliament-package-'));
const tools = join(folder, 'tools');
const project = join(folder, 'project');
let failed = 0;
try {
  await install();
  await all([['a plain install brings at most 45 packages', countPackages]]);
  // The oldest compiler makes the script that the Nodes run.
  await all(typeScripts.map((name) => [name, () => compile(name)]));
  await all(nodes.map((name) => [name, () => useOn(name)]));
} catch (error) {
  report('installing', error);
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = failed > 0 ? 1 : 0;

async function install() {
  cpSync('test/package/tools', tools, { recursive: true });
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
  const tarball = join(folder, JSON.parse(stdout)[0].filename);
  await run('npm', ['install', '--ignore-scripts=false', '--no-fund', '--no-audit', tarball], {
    cwd: project,
  });
  await run('npm', ['ci', '--ignore-scripts=false', '--no-fund', '--no-audit'], { cwd: tools });
  cpSync('test/package/consumer', project, { recursive: true });
}

/** What parsing, training, comparing and voting need; the service's and the queue's packages are optional. */
async function countPackages() {
  const { stdout } = await run('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: project });
  const packages = stdout.trim().split('\n').length - 1;
  if (packages > 45) throw new Error(`${packages} packages`);
}

function compile(typeScript) {
  const tsc = join(tools, 'node_modules', typeScript, 'lib', 'tsc.js');
  const output = typeScript === typeScripts[0] ? project : join(project, typeScript);
  return run(process.execPath, [tsc, '--outDir', output], { cwd: project });
}

/** Each Node has a folder of its own for what it writes. */
async function useOn(name) {
  const node = join(tools, 'node_modules', name, 'bin', 'node');
  if (!existsSync(node)) throw new Error(`${versions.optionalDependencies[name]} is not to be had here`);
  const cwd = join(project, name);
  mkdirSync(cwd);
  for (const script of ['consumer.js', 'consumer.mjs', 'consumer.cjs']) {
    await run(node, [join(project, script)], { cwd });
  }
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8'));
  const program = resolve(project, 'node_modules/parliament', bin.parliament);
  const again = ['parse', '--model', 'graph.model', 'parsed.conllu', '-o', 'again.conllu'];
  await run(node, [program, ...again], { cwd });
  if (!readFileSync(join(cwd, 'again.conllu')).equals(readFileSync(join(cwd, 'parsed.conllu')))) {
    throw new Error('parliament parse gives other trees than parseFile');
  }
}

/** Does the jobs, one per core at a time. */
async function all(jobs) {
  const next = jobs.values();
  const worker = async () => {
    for (const [name, job] of next) {
      const error = await job().then(
        () => undefined,
        (thrown) => thrown,
      );
      report(name, error);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

function report(what, error) {
  if (error === undefined) return console.log(`ok      ${what}`);
  failed++;
  console.log(`FAILED  ${what}\n${[error.message, error.stdout, error.stderr].filter(Boolean).join('\n')}`);
}
