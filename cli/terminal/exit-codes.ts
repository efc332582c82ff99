/** Exit codes beside 0 (done) and 1 (a comparison or check failed), which the commands themselves set. */
export const ExitCode = { badInput: 2, internalError: 70, interrupted: 130 } as const;
