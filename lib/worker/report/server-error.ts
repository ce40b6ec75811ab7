/** A call to the server that did not succeed; `status` is null when there was no answer, or one of another shape. */
export class ServerError extends Error {
  readonly status: number | null;

  constructor(status: number | null, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "ServerError";
    this.status = status;
  }

  /** The token is not accepted: nothing this worker says will be heard again. */
  get isUnauthorized(): boolean {
    return this.status === 401;
  }

  /** The content of this very request is not accepted, so sending the same again is of no use. */
  get isRefusedContent(): boolean {
    return this.status === 400 || this.status === 413 || this.status === 422;
  }

  /** The thing asked for is not there for this worker, and will not be later. */
  get isAbsent(): boolean {
    return this.status === 403 || this.status === 404 || this.status === 410;
  }
}
