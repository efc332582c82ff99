/** Put in by build/web.mjs. */
declare const PARLIAMENT_VERSION: string;

export const packageFolder = '';

export function packageVersion(): string {
  return PARLIAMENT_VERSION;
}
