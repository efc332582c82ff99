import { describe, expect, it } from 'vitest';
import { checkServer, queueServer } from '../../../experiment/queue/server.ts';
import { needsRedis, RedisServer } from '../../support/redis.ts';

describe('the address of a queue', () => {
  it('may contain host, port, database, user and password; only the first three are shown', () => {
    const { address, options } = queueServer('redis://bob:p%40ss@example.org:7000/3', {});
    expect(address).toBe('redis://example.org:7000/3');
    expect(options).toMatchObject({
      host: 'example.org',
      port: 7000,
      db: 3,
      username: 'bob',
      password: 'p@ss',
    });
    expect(options.tls).toBeUndefined();
  });

  it('with rediss requires TLS and a certificate for that host', () => {
    expect(queueServer('rediss://example.org', {}).options).toMatchObject({
      ...{ port: 6379, db: 0, tls: { servername: 'example.org' } },
    });
  });

  it.each(['rediss://127.0.0.1', 'rediss://[::1]'])(
    'with rediss and an IP address requires TLS without a server name: %s',
    (url) => expect(queueServer(url, {}).options.tls).toEqual({}),
  );

  it.each(['redis://a:7000?db=3', 'redis://a:7000/2#3'])(
    'is refused if it has a query or a fragment: %s',
    (url) => {
      expect(() => queueServer(url, {})).toThrow(/expected no \? or #/);
    },
  );

  it('takes user and password from the environment if it has none itself', () => {
    const env = { PARLIAMENT_QUEUE_USER: 'ann', PARLIAMENT_QUEUE_PASSWORD: 'secret' };
    expect(queueServer('redis://[::1]', env).options).toMatchObject({
      ...{ host: '::1', username: 'ann', password: 'secret' },
    });
    expect(queueServer('redis://:own@example.org', env).options.password).toBe('own');
  });

  it.each(['http://a:secret@b', 'secret', 'redis://', 'redis://a/b', 'redis://%zz:secret@a'])(
    'is refused if it is invalid, without repeating the password: %s',
    (url) => {
      let message = '';
      try {
        queueServer(url, {});
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).not.toBe('');
      expect(message).not.toContain('secret');
    },
  );
});

needsRedis.describe('a database', () => {
  it('that the server does not have is refused, and not replaced by another', async () => {
    const redis = await RedisServer.start('--databases', '2');
    const check = (database: number) => checkServer(queueServer(`${redis.url}/${database}`, {}));
    try {
      expect(await check(1)).toEqual([]);
      await expect(check(2)).rejects.toThrow(/:\d+\/2: cannot be reached: ERR DB index is out of range/);
    } finally {
      await redis.remove();
    }
  });
});
