/** A failure that the user can fix: printed as message and details, without a stack. */
export class Failure extends Error {
  constructor(message, { details = "", exitCode = 1, cause } = {}) {
    super(message, { cause });
    this.details = details;
    this.exitCode = exitCode;
  }
}
