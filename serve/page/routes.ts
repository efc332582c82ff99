import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { packageFolder } from '../../src/platform/package.ts';
import { stylesheet } from '../../src/report/html/page.ts';
import { drawingStyle } from '../../src/report/svg.ts';

export async function pageRoutes(app: FastifyInstance): Promise<void> {
  const data = (name: string) => readFileSync(join(packageFolder, 'data', name), 'utf8');
  const script = readFileSync(join(packageFolder, 'dist', 'serve', 'page', 'page-script.js'), 'utf8');
  const files = [
    ['/', 'text/html', data('serve/page.html')],
    ['/page.css', 'text/css', drawingStyle + stylesheet() + data('editor.css') + data('serve/page.css')],
    ['/page.js', 'text/javascript', script],
  ] as const;
  for (const [url, type, content] of files) {
    app.get(url, { schema: { hide: true } }, async (_, reply) =>
      reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-cache').send(content),
    );
  }
  app.get('/favicon.ico', { schema: { hide: true } }, async (_, reply) => reply.code(204).send());
}
