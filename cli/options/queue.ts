import { Option } from 'commander';

/** Read where it is used: a message of commander's would repeat an address, which may hold a password. */
export function queueOption(meaning: string): Option {
  return new Option('--queue <url>', `${meaning}: redis://host[:port], or rediss:// for TLS`);
}

export function storeOption(): Option {
  return new Option(
    '--store <folder>',
    'with --queue: a folder that all machines share, for data and results (default: they are in Redis)',
  );
}

/** Who comes in, where the address does not say it. */
export const queueEnvironment = `
Environment:
  PARLIAMENT_QUEUE_USER, PARLIAMENT_QUEUE_PASSWORD
              user and password of the queue, where its address has none`;
