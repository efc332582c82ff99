/** What can be chosen of a service; `defaults` has the rest. */
export interface ServiceOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Threads that parse. */
  readonly threads: number;
  /** Bytes of a request's body, at most. */
  readonly bodyLimit: number;
  /** Requests at work or waiting, at most. */
  readonly mostRequests: number;
  /** Words of a sentence, at most. */
  readonly mostWords: number;
  /** Seconds that a piece of work may wait and take. */
  readonly timeout: number;
  /** Seconds that requests have to be done when the service is to end. */
  readonly grace: number;
  /** Requests that one address other than this machine's may make in a second, at most; 0: any number. */
  readonly rate: number;
  /** Origins whose pages may use all of the service, `*` for all; UDPipe's part of it is open to all. */
  readonly origins: readonly string[];
}

export const defaults = {
  host: '127.0.0.1',
  port: 8001,
  bodyLimit: 4 * 2 ** 20,
  mostRequests: 256,
  mostWords: 10_000,
  timeout: 30,
  grace: 10,
  rate: 100,
  origins: [],
} as const satisfies Omit<ServiceOptions, 'threads'>;
