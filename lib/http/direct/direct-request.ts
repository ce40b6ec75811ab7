import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";

/**
 * What a route handler reads of a `Request`, taken from Node's own without building one; a real `Request` is made only
 * for the methods that read the body in other ways than `request.body`.
 */
export function directRequest(message: IncomingMessage, response: ServerResponse, url: string): Request {
  return new DirectRequest(message, response, url) as unknown as Request;
}

class DirectRequest {
  readonly url: string;
  readonly method: string;
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  #headers: Headers | undefined;
  #abort: AbortController | undefined;
  #real: Request | undefined;

  constructor(message: IncomingMessage, response: ServerResponse, url: string) {
    this.url = url;
    this.method = message.method ?? "GET";
    this.#message = message;
    this.#response = response;
  }

  get headers(): Headers {
    if (this.#headers === undefined) {
      this.#headers = new Headers();
      for (const [name, values] of Object.entries(this.#message.headers)) {
        for (const value of Array.isArray(values) ? values : [values ?? ""]) this.#headers.append(name, value);
      }
    }
    return this.#headers;
  }

  /** Aborted when the caller hangs up before it was answered. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController();
      this.#abort = abort;
      const onClose = () => {
        if (!this.#response.writableFinished) abort.abort(new Error("The caller hung up."));
      };
      if (this.#response.destroyed) onClose();
      else this.#response.once("close", onClose);
    }
    return this.#abort.signal;
  }

  /** Leaving the loop early must not cut the connection: the answer is still to come. */
  get body(): AsyncIterable<Uint8Array> | null {
    const { headers } = this.#message;
    if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return null;
    return { [Symbol.asyncIterator]: () => this.#message.iterator({ destroyOnReturn: false }) };
  }

  json = () => this.#asRequest().json();
  text = () => this.#asRequest().text();
  arrayBuffer = () => this.#asRequest().arrayBuffer();
  formData = () => this.#asRequest().formData();
  blob = () => this.#asRequest().blob();
  clone = () => this.#asRequest().clone();

  #asRequest(): Request {
    const hasBody = this.body !== null;
    this.#real ??= new Request(this.url, {
      method: this.method,
      headers: this.headers,
      signal: this.signal,
      ...(hasBody ? { body: Readable.toWeb(this.#message) as ReadableStream, duplex: "half" } : {}),
    });
    return this.#real;
  }
}
