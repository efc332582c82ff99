// AssemblyScript: threads that wait for each other.

import { THREADS } from '../layout.ts';

/** Number of times that a thread checks the counter before it sleeps. */
const SPINS = 4000;
/** Nanoseconds after which a sleeping thread checks again. */
const NAP: i64 = 1000000;

/** Waits until all threads have come here for the `time`th time; `arrivals` is the address of their counter. */
export function meet(arrivals: usize, threads: i32, time: i32): void {
  if (threads === 1) return;
  const all = time * threads;
  if (atomic.add<i32>(arrivals, 1) + 1 === all) {
    atomic.notify(arrivals, THREADS);
    return;
  }
  for (let spins = 0; ; spins++) {
    const arrived = atomic.load<i32>(arrivals);
    if (arrived - all >= 0) return;
    if (spins > SPINS) atomic.wait<i32>(arrivals, arrived, NAP);
  }
}
