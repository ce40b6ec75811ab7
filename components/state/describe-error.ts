import { ApiError } from "@/lib/client/api";

/** What happened, what is safe and what to do next. */
type ErrorDescription = { what: string; safe: string; advice: string; requestId: string | null };

export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof ApiError)) {
    return {
      what: "This page stopped because of an error in it.",
      safe: "Nothing was changed.",
      advice: "Try again. If it happens again, tell the operator of this server.",
      requestId: null,
    };
  }
  return { ...describeStatus(error), requestId: error.requestId };
}

/** One line for a toast or a form, in the server's words where possible. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return "Something in this page failed. Reload it and try again.";
  if (error.status >= 500) return `${describeStatus(error).what} ${describeStatus(error).advice}`;
  return error.detail;
}

function describeStatus(error: ApiError): Omit<ErrorDescription, "requestId"> {
  const stored = "Stored data is not affected.";
  switch (error.status) {
    case 0:
      return {
        what: "The server cannot be reached.",
        safe: stored,
        advice: "Check that it is running and that you are connected, then try again.",
      };
    case 401:
      return { what: "Your session has ended.", safe: stored, advice: "Sign in again." };
    case 403:
      return { what: "Your role does not allow this.", safe: "Nothing was changed.", advice: error.detail };
    case 404:
      return {
        what: "This does not exist, or you may not see it.",
        safe: "Nothing was changed.",
        advice: "Check the address, or ask its owner to share it with you.",
      };
    case 429:
      return {
        what: "Too many requests in a short time.",
        safe: "Nothing was changed.",
        advice: error.retryAfterSeconds ? `Try again in ${error.retryAfterSeconds} s.` : "Wait a moment and try again.",
      };
    case 503:
      return {
        what: error.detail,
        safe: stored,
        advice: error.retryAfterSeconds ? `Try again in ${error.retryAfterSeconds} s.` : "Try again in a minute.",
      };
    default:
      if (error.status >= 500) {
        return {
          what: "The server could not answer.",
          safe: stored,
          advice: "Try again. If it happens again, give the request id to the operator of this server.",
        };
      }
      return { what: "The request failed.", safe: "Nothing was changed.", advice: error.detail };
  }
}
