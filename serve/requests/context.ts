import type { Editing } from '../edit/routes.ts';
import type { Metrics } from '../http/metrics.ts';
import type { AdmissionControl } from './admission.ts';

/** Options of the service; `defaults` has the values of all but `threads`. */
export interface ServiceOptions {
  readonly host: string;
  /** Values of the `Host` header that are answered besides this machine's own names. */
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
  /** Seconds that a task may wait and run. */
  readonly timeout: number;
  /** Seconds that requests in work have left once the service is told to end. */
  readonly grace: number;
  /** Maximum number of requests per second from one address other than this machine's; 0: no limit. */
  readonly rate: number;
  /** Origins whose pages may use the whole service, `*` for all; its UDPipe interface is open to all. */
  readonly origins: readonly string[];
  readonly edit?: string | undefined;
  /** The page opens the first file at the least sure word. */
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

export interface ServiceContext {
  readonly admission: AdmissionControl;
  readonly limits: Pick<
    ServiceOptions,
    'bodyLimit' | 'rate' | 'origins' | 'host' | 'allowedHosts' | 'unsure'
  >;
  readonly metrics: Metrics;
  readonly editing?: Editing | undefined;
}
