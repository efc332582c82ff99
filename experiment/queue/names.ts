import type { Release } from './release.ts';

/** What all keys in Redis begin with. */
export const PREFIX = 'parliament';

/** Seconds that data and results stay after they were last asked for. */
export const KEPT = 7 * 86_400;

/** Seconds that they stay when the one who asked for them has them: another may have asked for the same. */
export const KEPT_AFTER = 600;

/** The queue that workers of a release look into. */
export function queueName({ code }: Release): string {
  return `cells-${code}`;
}

export const keys = {
  data: (digest: string) => `${PREFIX}:data:${digest}`,
  chunk: (digest: string, upload: string, i: number) => `${PREFIX}:data:${digest}:${upload}:${i}`,
  result: (job: string) => `${PREFIX}:result:${job}`,
  workers: `${PREFIX}:workers`,
  worker: (id: string) => `${PREFIX}:worker:${id}`,
};
