import type { Editing } from '../edit/routes.ts';
import type { Metrics } from '../http/metrics.ts';
import type { AdmissionControl } from './admission.ts';

/** Options of the service; `defaults` has the default values. */
export interface ServiceOptions {
  readonly host: string;
  /** Allowed values of the `Host` header besides the names of this machine. */
  readonly allowedHosts: readonly string[];
  /** 0: any free port. */
  readonly port: number;
  readonly threads: number;
  /** Maximum size of a request's body, in bytes. */
  readonly bodyLimit: number;
  /** Maximum number of requests in work or waiting. */
  readonly mostRequests: number;
  /** Maximum length of a sentence, in words. */
  readonly mostWords: number;
  /** Maximum seconds that a task waits and runs. */
  readonly timeout: number;
  /** Seconds that requests in work have to finish when the service ends. */
  readonly grace: number;
  /** Maximum number of requests per second from one address other than this machine's; 0: no limit. */
  readonly rate: number;
  /** Origins whose pages may use the interface below `/v1/`, `*` for all; the UDPipe interface is open to all. */
  readonly origins: readonly string[];
  /** Path of a folder of files to edit. */
  readonly edit?: string | undefined;
  /** Whether the page opens the first file at the word with the lowest confidence. */
  readonly unsure?: boolean | undefined;
}

export const defaults = {
  host: '127.0.0.1',
  allowedHosts: [],
  port: 8001,
  bodyLimit: 4 * 2 ** 20,
  mostRequests: 256,
  mostWords: 10_000,
  timeout: 30,
  grace: 10,
  rate: 100,
  origins: [],
} as const satisfies Omit<ServiceOptions, 'threads' | 'edit' | 'unsure'>;

/** The parts of the service that its routes use. */
export interface ServiceContext {
  readonly admission: AdmissionControl;
  readonly limits: Omit<ServiceOptions, 'threads'>;
  readonly metrics: Metrics;
  readonly editing?: Editing | undefined;
}
