import { Random } from '../../src/learn/random.ts';
import { type RequestSources, requests } from './requests.ts';

/** What has become of all requests. */
export interface Tally {
  /** Of each kind, how many were answered as they ought to be. */
  readonly answered: Record<string, number>;
  /** Those that a thread that was ended was at work on: they are told so, or their answer is cut. */
  lost: number;
  /** When threads were ended. */
  readonly kills: number[];
  /** What was wrong with others. */
  readonly wrong: string[];
}

export function newTally(): Tally {
  const answered = Object.fromEntries(Object.keys(requests).map((kind) => [kind, 0]));
  return { answered, lost: 0, kills: [], wrong: [] };
}

/** Clients that each make one request after the other, of all kinds mixed. */
export class Load {
  private readonly clients: readonly RequestSources[];

  constructor(sources: Omit<RequestSources, 'random'>, clients: number, seed: number) {
    this.clients = Array.from({ length: clients }, (_, i) => ({
      ...sources,
      random: new Random(seed * 1000 + i),
    }));
  }

  async run(seconds: number, tally: Tally): Promise<void> {
    const end = performance.now() + seconds * 1000;
    await Promise.all(this.clients.map((client) => this.work(client, end, tally)));
  }

  private async work(sources: RequestSources, end: number, tally: Tally): Promise<void> {
    while (performance.now() < end) {
      const kind = kindOf(sources.random.below(100));
      const start = performance.now();
      const problem = await requests[kind]
        .make(sources)
        .catch((error: Error) => `no answer: ${error.message}`);
      if (problem === undefined) tally.answered[kind] += 1;
      else if (/^(500: .*thread|no answer)/.test(problem) && tally.kills.some((time) => time >= start)) {
        tally.lost += 1;
      } else tally.wrong.push(`${kind}: ${problem}`);
    }
  }
}

/** By the shares of all kinds. */
function kindOf(place: number): string {
  let before = 0;
  for (const [kind, { share }] of Object.entries(requests)) {
    before += share;
    if (place < before) return kind;
  }
  throw new Error(`there are shares of ${before}, expected 100`);
}
