/** The part of the Cache API that is used here: Node's types lack it. */
declare const caches: { open(name: string): Promise<Store> } | undefined;

export interface Store {
  keys(): Promise<readonly Request[]>;
  match(key: string | Request): Promise<Response | undefined>;
  put(key: string, response: Response): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** Opens a cache of the browser; undefined on pages without https, and where the browser blocks the data of sites. */
export async function openStore(name: string): Promise<Store | undefined> {
  try {
    return typeof caches === 'undefined' ? undefined : await caches.open(name);
  } catch {
    return undefined;
  }
}
