import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import npmConf from '@pnpm/npm-conf';
import registryAuthToken from 'registry-auth-token';
import { Parser, extract as unpack } from 'tar';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { atMost, type Receive, type Watchdog } from './download.ts';

/** Maximum size of an unpacked package; no registry accepts one nearly as large. */
const LARGEST_PACKAGE = 2 ** 30;

/** Streams a file (`path` in the tarball) of a package (`spec`); does not check a digest. */
export async function fetchFromPackage(
  spec: string,
  path: string,
  watchdog: Watchdog,
  receive: Receive,
): Promise<void> {
  const at = spec.lastIndexOf('@');
  const registry = new NpmRegistry(spec.slice(0, at), watchdog);
  try {
    await extract(await registry.openTarball(spec.slice(at + 1)), path, receive);
  } finally {
    await registry.close();
  }
}

/** Downloads the newest version of a package into a new folder, its digest checked; returns the version. */
export async function fetchPackage(name: string, folder: string, watchdog: Watchdog): Promise<string> {
  const registry = new NpmRegistry(name, watchdog);
  try {
    const { version, integrity, tarball } = await registry.newest();
    const [algorithm = '', expected] = integrity.split('-', 2);
    const hash = createHash(algorithm);
    const chunks: Uint8Array[] = [];
    for await (const chunk of atMost(LARGEST_PACKAGE, tarball)) {
      hash.update(chunk);
      chunks.push(chunk);
    }
    if (hash.digest('base64') !== expected)
      throw new Error(`the package has another digest than ${integrity}, which the registry has`);
    await finished(Readable.from(chunks).pipe(unpack({ cwd: folder, strip: 1, strict: true })));
    return version;
  } finally {
    await registry.close();
  }
}

function extract(tarball: AsyncIterable<Uint8Array>, path: string, receive: Receive): Promise<void> {
  return new Promise((resolve, reject) => {
    const isNone = ({ message }: Error) => reject(new Error(`the download is not a package: ${message}`));
    let found = false;
    const tar = new Parser({
      strict: true,
      filter: (name) => name === path && !found,
      onReadEntry: (entry) => {
        found = true;
        receive(entry).then(resolve, reject);
      },
    });
    tar.on('error', isNone);
    tar.on('end', () => {
      if (!found) reject(new Error(`no file ${path} in the package`));
    });
    const unpacked = Readable.from(tarball).on('error', reject).pipe(createGunzip()).on('error', isNone);
    const bounded = Readable.from(atMost(LARGEST_PACKAGE, unpacked)).on('error', isNone);
    bounded.pipe(tar as unknown as NodeJS.WritableStream);
  });
}

const shortDescription = 'application/vnd.npm.install-v1+json, application/json;q=0.8';
const LONGEST_DESCRIPTION = 2 ** 26;

/**
 * The registry that npm is configured to use for a package: its address (per scope), proxies, certificates,
 * tokens. npm's own library for this, pacote, depends on ten times as many packages and reads no settings.
 */
class NpmRegistry {
  private readonly address: string;
  /** The address of npm's default registry: the metadata of mirrors may name tarballs there. */
  private readonly publicAddress: string;
  private readonly agent: EnvHttpProxyAgent;

  constructor(
    private readonly name: string,
    private readonly watchdog: Watchdog,
  ) {
    const { config, warnings } = npmConf();
    if (warnings.length > 0) throw new Error(warnings.join('; '));
    const scope = /^@[^/]+/.exec(name)?.[0];
    const address = (scope && config.get(`${scope}:registry`)) ?? config.get('registry');
    this.publicAddress = config.root.registry;
    this.address = String(address).replace(/\/*$/, '/');
    this.agent = agentOf((setting) => config.get(setting) ?? undefined);
  }

  async openTarball(version: string): Promise<AsyncIterable<Uint8Array>> {
    const tarball = (await this.description())?.versions?.[version]?.dist?.tarball;
    if (typeof tarball !== 'string')
      throw new Error(`${this.address}${this.name} has no tarball of version ${version}`);
    const { publicAddress, address } = this;
    const isPublic = tarball.startsWith(publicAddress);
    return this.get(isPublic ? address + tarball.slice(publicAddress.length) : tarball, '*/*');
  }

  /** The newest version, its digest (Subresource Integrity) and its tarball. */
  async newest(): Promise<{ version: string; integrity: string; tarball: AsyncIterable<Uint8Array> }> {
    const description = await this.description();
    const version = description?.['dist-tags']?.latest;
    const integrity = version && description?.versions?.[version]?.dist?.integrity;
    if (!version || typeof integrity !== 'string' || !/^sha(512|384|256)-/.test(integrity))
      throw new Error(`${this.address}${this.name} names no version with a digest`);
    return { version, integrity, tarball: await this.openTarball(version) };
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  private async description(): Promise<Description | null> {
    const address = this.address + this.name.replace('/', '%2f');
    const body = atMost(LONGEST_DESCRIPTION, await this.get(address, shortDescription));
    return parseDescription(await text(body), address);
  }

  private async get(address: string, accept: string): Promise<AsyncIterable<Uint8Array>> {
    const token = registryAuthToken(address, { recursive: true });
    const headers = { accept, ...(token && { authorization: `${token.type} ${token.token}` }) };
    const { signal } = this.watchdog;
    const response = await fetch(address, { headers, dispatcher: this.agent, signal });
    if (!response.ok) throw new Error(`HTTP status ${response.status} of ${address}`);
    if (response.body === null) throw new Error(`nothing came from ${address}`);
    return this.watchdog.watch(response.body);
  }
}

/** Parses metadata; throws if a proxy has sent a page of its own instead. */
function parseDescription(body: string, address: string): Description | null {
  try {
    return JSON.parse(body) as Description | null;
  } catch {
    throw new Error(`the answer of ${address} does not describe a package`);
  }
}

interface Description {
  readonly 'dist-tags'?: Readonly<Record<string, string>>;
  readonly versions?: Readonly<
    Record<string, { readonly dist?: { readonly tarball?: unknown; readonly integrity?: unknown } }>
  >;
}

/** An agent with npm's proxies and certificates, which Node's own `fetch` ignores. */
function agentOf(setting: (name: string) => unknown): EnvHttpProxyAgent {
  const tls = {
    rejectUnauthorized: setting('strict-ssl') !== false,
    ...pick(setting, { ca: 'ca', cert: 'cert', key: 'key' }),
  };
  // Without a setting, the agent uses HTTP_PROXY, HTTPS_PROXY and NO_PROXY, as npm does.
  const proxies = pick(setting, { httpProxy: 'proxy', httpsProxy: 'https-proxy', noProxy: 'noproxy' });
  return new EnvHttpProxyAgent({ ...proxies, connect: tls, requestTls: tls, proxyTls: tls });
}

function pick(setting: (name: string) => unknown, names: Readonly<Record<string, string>>): object {
  const pairs = Object.entries(names).map(([option, name]) => [option, setting(name)]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}
