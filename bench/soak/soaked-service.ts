import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Order, Report } from './service-process.ts';

/** A service in another process. */
export class SoakedService {
  private constructor(
    private readonly child: ChildProcess,
    readonly address: string,
  ) {}

  static async start(model: string, threads: number): Promise<SoakedService> {
    const file = fileURLToPath(new URL('./service-process.js', import.meta.url));
    // As docs/serve.md has it: else the C library keeps more and more of what is freed.
    const env = { ...process.env, MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
    const child = fork(file, [model, String(threads)], { execArgv: ['--expose-gc'], env });
    child.once('exit', (code) => {
      if (code !== 0) throw new Error(`the service has ended with status ${code}`);
    });
    const [report] = (await once(child, 'message')) as [Report];
    return new SoakedService(child, 'address' in report ? report.address : '');
  }

  tell(order: Order): void {
    this.child.send(order);
  }

  /** Megabytes that it takes when it is at rest. */
  async memory(): Promise<number> {
    this.tell('memory');
    const [report] = (await once(this.child, 'message')) as [Report];
    return 'memory' in report ? report.memory / 2 ** 20 : Number.NaN;
  }

  async stop(): Promise<void> {
    this.tell('stop');
    await once(this.child, 'exit');
  }
}
