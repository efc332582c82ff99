import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    maxWorkers: '100%',
    // No test waits for a clock: these end what would never end, on the slowest of machines.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
