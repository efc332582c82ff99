/**
 * Caches the files of the playground, so that it opens without a network. The page itself caches models. A new version
 * takes over when no page of the old one is open: their scripts load others of their own version.
 */

/** The files, relative to this one, and a digest of them all; inserted by build/playground.mjs. */
declare const PLAYGROUND: { readonly files: readonly string[]; readonly digest: string };

/** The part of a service worker's global scope that is used here: the DOM types lack it. */
declare const self: {
  readonly registration: { readonly scope: string };
  addEventListener(name: string, listener: (event: WorkerEvent) => void): void;
  readonly clients: { claim(): Promise<void> };
};
interface WorkerEvent {
  readonly request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}

const prefix = `parliament-playground ${self.registration.scope} `;
const name = prefix + PLAYGROUND.digest;

self.addEventListener('install', (event) => {
  const keep = async () => {
    const files = PLAYGROUND.files.map((file) => new Request(file, { cache: 'reload' }));
    await (await caches.open(name)).addAll(files);
  };
  event.waitUntil(keep());
});

self.addEventListener('activate', (event) => {
  const takeOver = async () => {
    const old = (await caches.keys()).filter((each) => each.startsWith(prefix) && each !== name);
    await Promise.all(old.map((each) => caches.delete(each)));
    await self.clients.claim();
  };
  event.waitUntil(takeOver());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  const answer = async () => {
    const kept = await (await caches.open(name)).match(request, { ignoreSearch: true });
    return kept ?? fetch(request);
  };
  event.respondWith(answer());
});
