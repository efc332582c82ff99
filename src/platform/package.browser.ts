/** Defined by the bundler. */
declare const PARLIAMENT_VERSION: string;

export const packageFolder = '';

export function packageVersion(): string {
  return PARLIAMENT_VERSION;
}
