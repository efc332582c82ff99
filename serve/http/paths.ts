/** Paths that are served below any other: a proxy may put one before them. */
const known = [
  '/v1/models',
  '/v1/parse',
  '/v1/compare',
  '/v1/explain',
  '/v1/openapi.json',
  '/weblicht/tokenize',
  '/weblicht/tag',
  '/weblicht/parse',
  '/models',
  '/process',
];

/** The address of a request without what a proxy has put before its path: `/api/process?…` is `/process?…`. */
export function withoutPrefix(url: string): string {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const found = known.find((each) => path.endsWith(each));
  return found === undefined ? url : found + url.slice(path.length);
}
