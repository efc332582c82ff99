import { expect, it } from 'vitest';
import { needsRedis, RedisServer } from '../../support/redis.ts';
import { runCli } from '../../support/run-cli.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('queue-password');
const env = { PARLIAMENT_HOME: sandbox.path('home') };

needsRedis.describe('a queue with a password', () => {
  it('takes the password from the address or the environment, and never prints it', async () => {
    const redis = await RedisServer.start('--requirepass', 'open sesame');
    const status = (url: string, more = {}) =>
      runCli(['experiment', '--status', '--queue', url], { env: { ...env, ...more } });
    try {
      const without = status(redis.url);
      expect(without.status).toBe(2);
      expect(without.stderr).toMatch(
        /^parliament: error: redis:\/\/127\.0\.0\.1:\d+: cannot be reached: NOAUTH/,
      );
      expect(status(redis.url, { PARLIAMENT_QUEUE_PASSWORD: 'open sesame' }).status).toBe(0);
      const inside = (password: string) => redis.url.replace('//', `//:${password}@`);
      expect(status(inside('open%20sesame')).status).toBe(0);
      const wrong = status(inside('guessed'));
      expect(wrong.status).toBe(2);
      expect(wrong.stderr).toContain('WRONGPASS');
      expect(wrong.stderr).not.toContain('guessed');
    } finally {
      await redis.remove();
    }
  }, 120_000);
});
