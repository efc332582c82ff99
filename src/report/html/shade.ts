/**
 * A figure from 0 to 1 as one of the shades that stylesheets have, 0 to 10: in place of styles of elements, which a
 * strict policy (CSP) forbids.
 */
export function shadeOf(figure: number): number {
  return Math.round(10 * figure);
}
