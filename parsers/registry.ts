import type { z } from 'zod';
import { checkFields } from '../src/checks.ts';
import { InputError, UsageError } from '../src/errors.ts';
import { withoutFolders } from '../src/files/given-file.ts';
import { Calibration } from '../src/learn/calibration.ts';
import { readModelFile, writeModelFile } from '../src/model/model-file.ts';
import { checkVersion, ModelReader } from '../src/model/model-reader.ts';
import { ModelWriter, type SaveOptions } from '../src/model/model-writer.ts';
import { extname, fileURLToPath } from '../src/platform/files.ts';
import { packageVersion } from '../src/platform/package.ts';
import type { AboutModel } from '../src/training/about-model.ts';
import type { NamedScores } from '../src/training/training-run.ts';
import { quote } from '../src/visible.ts';
import type { bigramOptions } from './bigram/options.ts';
import type { pcfgOptions } from './constituency/options.ts';
import type { spansOptions } from './constituency/spans/options.ts';
import type { graphOptions } from './graph/options.ts';
import { GuidedParser } from './guided-parser.ts';
import type { networkOptions } from './network/options.ts';
import { type Paradigm, type Parser, withParseAll } from './parser.ts';
import type { transitionOptions } from './transition/options.ts';
import type { yamadaMatsumotoOptions } from './yamada-matsumoto/options.ts';

/**
 * Each paradigm's options as programs write them: those with a default may be left out.
 * Packages add their own: `declare module 'parliament' { interface ParadigmOptions { mine: MyOptions } }`.
 */
export interface ParadigmOptions {
  readonly graph: z.input<typeof graphOptions>;
  readonly transition: z.input<typeof transitionOptions>;
  readonly 'yamada-matsumoto': z.input<typeof yamadaMatsumotoOptions>;
  readonly network: z.input<typeof networkOptions>;
  readonly bigram: z.input<typeof bigramOptions>;
  readonly pcfg: z.input<typeof pcfgOptions>;
  readonly spans: z.input<typeof spansOptions>;
}

export type ParadigmName = keyof ParadigmOptions;

/** A paradigm whose code is loaded on demand, so that parsing does not load what only training uses. */
interface RegisteredParadigm {
  readonly name: string;
  /** Its folder beside this file, if it is built in; default: its name. */
  readonly folder?: string | undefined;
  loader(): Promise<Pick<Paradigm, 'load'>>;
  paradigm(): Promise<Paradigm>;
  /** The URL of its module, for other threads, if it is not built in. */
  readonly module?: string | undefined;
}

const registered: RegisteredParadigm[] = [
  {
    name: 'graph',
    loader: async () => (await import('./graph/graph-parser.ts')).GraphParser,
    paradigm: async () => (await import('./graph/paradigm.ts')).graph as Paradigm,
  },
  {
    name: 'transition',
    loader: async () => (await import('./transition/transition-parser.ts')).TransitionParser,
    paradigm: async () => (await import('./transition/paradigm.ts')).transition as Paradigm,
  },
  {
    name: 'yamada-matsumoto',
    loader: async () => (await import('./yamada-matsumoto/parser.ts')).YamadaMatsumotoParser,
    paradigm: async () => (await import('./yamada-matsumoto/paradigm.ts')).yamadaMatsumoto as Paradigm,
  },
  {
    name: 'network',
    loader: async () => (await import('./network/network-parser.ts')).NetworkParser,
    paradigm: async () => (await import('./network/paradigm.ts')).network as Paradigm,
  },
  {
    name: 'bigram',
    loader: async () => (await import('./bigram/bigram-parser.ts')).BigramParser,
    paradigm: async () => (await import('./bigram/paradigm.ts')).bigram as Paradigm,
  },
  {
    name: 'pcfg',
    folder: 'constituency',
    loader: async () => (await import('./constituency/pcfg-parser.ts')).PcfgParser,
    paradigm: async () => (await import('./constituency/paradigm.ts')).pcfg as Paradigm,
  },
  {
    name: 'spans',
    folder: 'constituency/spans',
    loader: async () => (await import('./constituency/spans/spans-parser.ts')).SpansParser,
    paradigm: async () => (await import('./constituency/spans/paradigm.ts')).spans as Paradigm,
  },
];

export function paradigmNames(): string[] {
  return registered.map(({ name }) => name);
}

export function allParadigms(): Promise<Paradigm[]> {
  return Promise.all(registered.map(({ paradigm }) => paradigm()));
}

/**
 * @param modules modules of paradigms from outside this package, to register first (in another thread)
 * @throws UsageError for an unknown name
 */
export async function findParadigm(name: string, modules: readonly string[] = []): Promise<Paradigm> {
  for (const module of modules) await registerParadigm(module);
  return entryOf(name).paradigm();
}

/** The file of the module that imports all code of a paradigm; throws `UsageError` for an unknown name. */
export function paradigmFile(name: string): string {
  const { folder = name, module } = entryOf(name);
  const ending = extname(import.meta.url);
  return fileURLToPath(module ?? new URL(`${folder}/paradigm${ending}`, import.meta.url));
}

function entryOf(name: string): RegisteredParadigm {
  const found = registered.find((entry) => entry.name === name);
  if (found !== undefined) return found;
  throw new UsageError(`no paradigm is called ${name}, expected one of ${paradigmNames().join(', ')}`);
}

/**
 * Registers a paradigm from outside this package, for training, loading, votes and comparisons in all
 * threads.
 * @param module URL of the module that exports `paradigm`, mostly resolved from `import.meta.url`
 * @throws UsageError for what is no URL, or if it exports no paradigm or an incomplete one, or its name is taken
 */
export async function registerParadigm(module: string | URL): Promise<Paradigm> {
  if (!URL.canParse(String(module)))
    throw new UsageError(`${module}: expected the URL of a module, as import.meta.resolve returns it`);
  const { href } = new URL(module);
  const { paradigm } = (await import(href)) as { readonly paradigm?: Paradigm };
  if (paradigm?.name === undefined) throw new UsageError(`${href} exports no \`paradigm\``);
  const missing = (['options', 'train', 'load'] as const).find((field) => paradigm[field] === undefined);
  if (missing !== undefined) throw new UsageError(`${href}: the paradigm has no ${missing}`);
  const taken = registered.find(({ name }) => name === paradigm.name);
  if (taken?.module === href) return paradigm;
  if (taken !== undefined)
    throw new UsageError(`${href}: there is a paradigm called ${paradigm.name} already`);
  const loaded = async () => paradigm;
  registered.push({ name: paradigm.name, module: href, loader: loaded, paradigm: loaded });
  return paradigm;
}

/** URLs of the paradigms' modules from outside this package, for other threads to register. */
export const registeredModules = (): string[] => registered.flatMap(({ module }) => module ?? []);

/** The parser in a model; throws `InputError` if its paradigm is unknown. */
export async function openParser(model: ModelReader): Promise<Parser> {
  checkVersion(model);
  model.expectContent('parser');
  const header = model.fields();
  const name = header.text('paradigm');
  const found = registered.find((entry) => entry.name === name);
  if (found === undefined) {
    const names = paradigmNames().join(', ');
    throw new InputError(`a model of the paradigm ${quote(name)}, expected one of ${names}`, {
      file: model.name,
    });
  }
  const parser = withParseAll((await found.loader()).load(model));
  if (header.has('calibration')) parser.calibration = Calibration.load(header.fields('calibration'));
  if (header.has('guides')) return openGuided(parser, model);
  if ((parser.guides ?? 0) > 0) model.refuse('a parser with guides, but the file has none');
  return parser;
}

async function openGuided(parser: Parser, model: ModelReader): Promise<Parser> {
  const names = model.fields().texts('guides');
  if (names.length !== parser.guides) model.refuse(`${names.length} guides, expected ${parser.guides ?? 0}`);
  const guides = names.map(async (name) => {
    const part = model.part(name);
    return { parser: await openParser(part), write: (writer: ModelWriter) => writer.copy(part) };
  });
  return new GuidedParser(parser, await Promise.all(guides));
}

/**
 * Writes a parser as one file, whole or not at all. The same parser and `about` give the same bytes.
 * @throws InputError if it cannot be written; UsageError for an unknown field of `about` or `options`
 */
export function saveParser(
  path: string,
  parser: Parser,
  about: AboutModel<NamedScores> = {},
  options: SaveOptions = {},
): void {
  checkFields('saveParser’s third argument', about, aboutFields);
  writeModelFile(path, parserWriter(parser, about), options);
}

/** The model file of a parser, with the record of its training; throws `UsageError` for another kind of model. */
export function parserWriter(parser: Parser, about: AboutModel<NamedScores>): ModelWriter {
  if (typeof parser?.paradigm !== 'string') throw new UsageError('saveParser takes a parser');
  const writer = new ModelWriter();
  writeParser(writer, parser, about);
  return writer;
}

const aboutFields = [
  'options',
  'seed',
  'train',
  'dev',
  'silver',
  'from',
  'replay',
  'scores',
  'end',
] as const satisfies readonly (keyof AboutModel)[];

/** Writes the sections and header of a parser to a model, or to a part of one. */
export function writeParser(model: ModelWriter, parser: Parser, about: AboutModel<NamedScores>): void {
  const { options, seed, train, dev, silver, from, replay, scores, end } = about;
  const version = packageVersion();
  const calibration = parser.calibration?.data;
  Object.assign(model.header, {
    paradigm: parser.paradigm,
    options: withoutFolders(options),
    seed,
    version,
    train,
    dev,
    silver,
    from,
    replay,
    scores,
    end,
    ...(calibration && { calibration }),
  });
  parser.save(model);
}

/**
 * Opens a saved parser.
 * @throws InputError if it cannot be read, is damaged, of a newer format, or of an unknown paradigm
 */
export async function loadParser(path: string): Promise<Parser> {
  return openParser(readModelFile(path));
}

/** A model in a form that can be sent to other threads, which share its weights. */
export interface ModelCopy {
  readonly buffer: SharedArrayBuffer;
  readonly name: string;
  readonly modules: readonly string[];
}

export function copyOf(model: ModelReader | string): ModelCopy {
  const { buffer, name } = typeof model === 'string' ? readModelFile(model) : model;
  return { buffer, name, modules: registeredModules() };
}

/** Opens the model in the receiving thread; registers the paradigms from outside this package. */
export async function readCopy({ buffer, name, modules }: ModelCopy): Promise<ModelReader> {
  for (const module of modules) await registerParadigm(module);
  return ModelReader.fromBuffer(buffer, name);
}

export async function openCopy(copy: ModelCopy): Promise<Parser> {
  return openParser(await readCopy(copy));
}
