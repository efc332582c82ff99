import { UsageError } from './errors.ts';

/** Packages that one part of the program needs and that `package.json` has as optional peers. */
export const optionalPackages = {
  service: [
    'fastify',
    '@fastify/helmet',
    '@fastify/multipart',
    '@fastify/rate-limit',
    '@fastify/swagger',
    'pino',
    'prom-client',
  ],
  queue: ['bullmq', 'ioredis'],
  parquet: ['hyparquet-writer'],
  encoder: ['onnxruntime-node', '@huggingface/tokenizers'],
  /** Does for `onnxruntime-node`, more slowly. */
  encoderAnywhere: ['onnxruntime-web'],
} as const;

export async function withPackages<T>(
  command: string,
  part: keyof typeof optionalPackages,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const packages = optionalPackages[part];
    if (!isMissing(error as NodeJS.ErrnoException, packages)) throw error;
    throw new UsageError(
      `${command} needs packages that are not installed: npm install ${packages.join(' ')}`,
    );
  }
}

/** `Cannot find package 'fastify' imported from …` */
function isMissing({ code, message }: NodeJS.ErrnoException, packages: readonly string[]): boolean {
  return code === 'ERR_MODULE_NOT_FOUND' && packages.some((name) => message.includes(`'${name}'`));
}
