/** Exit codes beside 0 (done) and 1 (a comparison or check failed), which the commands themselves set. */
export const ExitCode = {
  badInput: 2,
  internalError: 70,
  /** To which the number of the signal is added that ended the program: 130 after Ctrl-C. */
  signal: 128,
} as const;
