import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { basename } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { defaults, type ServiceOptions } from '../../serve/requests/context.ts';
import type { NamedFile, NamedVote } from '../../serve/tasks/served-models.ts';
import { UsageError } from '../../src/errors.ts';
import { withPackages } from '../../src/optional-packages.ts';
import type { Command } from '../options/command.ts';
import { jobsOption, list, quietOption, repeatable } from '../options/common.ts';
import { note, plural } from '../terminal/output.ts';
import { limitHeapGrowth, stoppable, withHangUp } from '../terminal/process.ts';

interface ServeFlags
  extends Pick<ServiceOptions, 'host' | 'port' | 'timeout' | 'grace' | 'rate' | 'edit' | 'unsure'> {
  readonly model: readonly string[];
  readonly vote?: readonly string[];
  readonly jobs: number;
  readonly maxBody: number;
  readonly maxRequests: number;
  readonly maxLength: number;
  readonly allowedHost?: readonly string[];
  readonly cors?: readonly string[];
  readonly quiet?: boolean;
}

const MEGABYTE = 2 ** 20;
/** Seconds beyond `--grace` after which the process ends in any case. */
const LATE = 5;

const endsHelp = `
  curl -F data='Dogs bark.' -F tokenizer= -F tagger= -F parser= http://127.0.0.1:8001/process
parses with UDPipe’s REST interface. The web page is at http://127.0.0.1:8001/, and the JSON interface is described
at http://127.0.0.1:8001/v1/openapi.json.

SIGTERM and Ctrl-C stop the service after the running requests; SIGHUP makes it reload its models.`;

export function serveCommand(command: Command): Command {
  const megabytes = defaults.bodyLimit / MEGABYTE;
  const waiting = 'maximum number of requests running or waiting; others get status 503';
  const rate = 'maximum number of requests per second from one address other than the loopback';
  const [seconds, grace] = [1, 0].map((min) => ({ min, max: 3600 }));
  return command
    .with(
      repeatable(
        '--model <[name=]file>',
        'pipeline or parser; may be repeated (default name: that of the file)',
      ).makeOptionMandatory(),
    )
    .repeatable(
      '--vote <[name=]models>',
      'names of models whose vote is served as another model, separated by commas (default name: vote)',
    )
    .with(
      new Option('--host <address>', 'address to listen on; 0.0.0.0: all addresses of this machine')
        .argParser(host)
        .default(defaults.host),
    )
    .integer('--port <n>', 'port to listen on; 0: any free port', { min: 0, max: 65535 }, defaults.port)
    .with(jobsOption())
    .option(
      '--edit <folder>',
      'folder of CoNLL-U files that the page edits and saves; anyone who can reach the service can change them',
    )
    .option('--unsure', 'with --edit: the page opens the first file at the word with the lowest confidence')
    .optionsGroup('Limits:')
    .integer('--max-body <MB>', 'maximum size of a request in megabytes', { min: 1, max: 256 }, megabytes)
    .integer('--max-requests <n>', waiting, { min: 1 }, defaults.mostRequests)
    .integer('--max-length <n>', 'maximum length of a sentence in words', { min: 1 }, defaults.mostWords)
    .integer('--timeout <s>', 'maximum seconds for waiting and running a task', seconds, defaults.timeout)
    .integer('--grace <s>', 'seconds for running requests when the service is stopped', grace, defaults.grace)
    .integer('--rate <n>', `${rate}; 0: no limit`, { min: 0 }, defaults.rate)
    .optionsGroup('Options:')
    .with(
      repeatable(
        '--allowed-host <name>',
        'additional host name by which clients may call the service; may be repeated',
      ).default(undefined, 'none; any if --host is reachable from other machines'),
      repeatable(
        '--cors <origin>',
        'origin whose web pages may use the service, * for any (CORS); may be repeated',
      ).default(undefined, 'none, except for UDPipe’s interface'),
      quietOption(),
    )
    .addHelpText('after', endsHelp)
    .examples(
      'parliament serve --model english.model',
      'parliament serve --model english.model --edit trees --unsure',
      'parliament serve --model en=english.model --model beam=beam.model --model graph.model --vote en,beam,graph',
    )
    .action(serve);
}

async function serve(flags: ServeFlags): Promise<void> {
  const { model, vote = [], allowedHost = [], cors = [], jobs, quiet, ...others } = flags;
  const { maxBody, maxRequests, maxLength, ...same } = others;
  if (flags.unsure && flags.edit === undefined) throw new UsageError('--unsure goes with --edit');
  checkHostNames(allowedHost);
  checkOrigins(cors);
  const { Service, pino } = await withPackages('parliament serve', 'service', async () => ({
    ...(await import('../../serve/service.ts')),
    ...(await import('pino')),
  }));
  const served = { files: model.map(namedFile), votes: namedVotes(vote) };
  const limits = { bodyLimit: maxBody * MEGABYTE, mostRequests: maxRequests, mostWords: maxLength };
  const options = { ...same, ...limits, threads: jobs, allowedHosts: allowedHost, origins: cors };
  const logger = pino({ level: quiet ? 'error' : 'info' }, process.stderr);
  limitHeapGrowth();
  const starting = Service.start(served, options, logger);
  const reload = () => void starting.then((service) => service.reload()).catch(() => undefined);
  await withHangUp(reload, async () => {
    const service = await starting;
    const names = service.models.map(({ name }) => name).join(', ');
    if (!quiet) note(`${service.address} serves ${plural(service.models.length, 'model')}: ${names}`);
    const untilStopped = async (signal: AbortSignal) => {
      await once(signal, 'abort');
      await service.stop();
    };
    await stoppable(untilStopped, { patience: flags.grace + LATE });
  });
}

const named = /^([\p{L}\p{N}][\p{L}\p{N}._-]*)=(.+)$/su;

/** Reads `english=models/en.model`; a file alone is named by its file name without `.model`. */
function namedFile(text: string): NamedFile {
  const [, name, file] = named.exec(text) ?? [];
  if (name !== undefined) return { name, file };
  return { name: basename(text).replace(/\.model$/, ''), file: text };
}

/** Reads `both=english,beam`; models alone are named `vote`. */
function namedVotes(texts: readonly string[]): NamedVote[] {
  return texts.map((text) => {
    const [, name = 'vote', models = text] = named.exec(text) ?? [];
    const members = list(models);
    if (members.length < 2 || members.includes(''))
      throw new UsageError(`--vote ${text}: expected the names of two models at least, as in --vote a,b,c`);
    return { name, members };
  });
}

/** Refuses an empty address, such as the value of an unset variable: Node would listen on all addresses. */
function host(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('Expected an address.');
}

function checkHostNames(names: readonly string[]): void {
  const wrong = names.find((name) => !isIPv6(name) && !/^[^\s/:*]+$/.test(name));
  if (wrong === undefined) return;
  throw new UsageError(`--allowed-host ${wrong}: expected a name as in parser.example.org, without a port`);
}

function checkOrigins(origins: readonly string[]): void {
  const wrong = origins.find((origin) => origin !== '*' && !isOrigin(origin));
  if (wrong === undefined) return;
  throw new UsageError(`--cors ${wrong}: expected an origin as in https://example.org, without a path, or *`);
}

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text;
