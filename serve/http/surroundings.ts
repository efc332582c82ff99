import type { ServiceOptions } from '../options.ts';
import type { House } from '../requests/house.ts';
import type { Metrics } from './metrics.ts';

/** What routes answer requests with. */
export interface Surroundings {
  readonly house: House;
  readonly limits: Pick<ServiceOptions, 'bodyLimit' | 'rate' | 'origins'>;
  readonly metrics: Metrics;
}
