import { UsageError } from './errors.ts';

/** The optional peer dependencies in `package.json`, by the part of the program that needs them. */
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
  /** A slower substitute for `onnxruntime-node` that runs everywhere. */
  encoderAnywhere: ['onnxruntime-web'],
} as const;

/**
 * Runs `load`, which imports the packages of a part of the program.
 * @throws UsageError with the command to install them if one is missing
 */
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

/** Whether an error is `Cannot find package 'fastify' imported from …` for one of these packages. */
function isMissing({ code, message }: NodeJS.ErrnoException, packages: readonly string[]): boolean {
  return code === 'ERR_MODULE_NOT_FOUND' && packages.some((name) => message.includes(`'${name}'`));
}
