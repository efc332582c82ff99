import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';
import { needs } from './needs.ts';

/** For tests that need a real Redis; they are skipped in CI, whose machines may have any version or none. */
export const needsRedis = process.env.CI ? needs('redis-server, outside CI', false) : needs('redis-server');

/** A Redis server for one test, which stores its data in its own folder. */
export class RedisServer {
  private readonly folder = mkdtempSync(join(tmpdir(), 'parliament-redis-'));
  private readonly flags: readonly string[];
  private process: ChildProcess | undefined;
  port = 0;

  private constructor(flags: readonly string[]) {
    this.flags = flags;
  }

  static async start(...flags: string[]): Promise<RedisServer> {
    const server = new RedisServer(flags);
    server.port = await freePort();
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts the server, or restarts it with its earlier data, and waits until it answers. */
  async start(): Promise<void> {
    const flags = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder];
    const keeping = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
    this.process = spawn('redis-server', [...flags, ...keeping, ...this.flags], { stdio: 'ignore' });
    const client = this.client();
    try {
      for (;;) {
        const answer = await client.ping().catch((error: Error) => error.message);
        if (answer === 'PONG' || answer.startsWith('NOAUTH')) return;
        await setTimeout(20);
      }
    } finally {
      client.disconnect();
    }
  }

  async kill(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  /** Stops the server and deletes its data. */
  async remove(): Promise<void> {
    await this.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  client(): Redis {
    const client = new Redis({
      host: '127.0.0.1',
      port: this.port,
      maxRetriesPerRequest: null,
      retryStrategy: () => 20,
    });
    client.on('error', () => undefined);
    return client;
  }
}
