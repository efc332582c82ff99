/** Why a request is not answered as it asks: a status, and one line for who sent it. */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  constructor(
    message: string,
    readonly statusCode = 400,
    /** Seconds after which the same may be tried again. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}
