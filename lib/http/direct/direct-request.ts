import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";

/** The headers of Node's own request, looked up there; what goes beyond one name at a time takes them all over first. */
export class DirectHeaders extends Headers {
  #message: IncomingMessage | null;

  constructor(message: IncomingMessage) {
    super();
    this.#message = message;
  }

  override get(name: string): string | null {
    if (this.#message === null) return super.get(name);
    const value = this.#message.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(", ") : (value ?? null);
  }
  override has(name: string): boolean {
    return this.#message === null ? super.has(name) : this.#message.headers[name.toLowerCase()] !== undefined;
  }
  override append(name: string, value: string): void {
    this.#fill();
    super.append(name, value);
  }
  override set(name: string, value: string): void {
    this.#fill();
    super.set(name, value);
  }
  override delete(name: string): void {
    this.#fill();
    super.delete(name);
  }
  override forEach(...args: Parameters<Headers["forEach"]>): void {
    this.#fill();
    super.forEach(...args);
  }
  override entries() {
    this.#fill();
    return super.entries();
  }
  override keys() {
    this.#fill();
    return super.keys();
  }
  override values() {
    this.#fill();
    return super.values();
  }
  override getSetCookie(): string[] {
    this.#fill();
    return super.getSetCookie();
  }
  override [Symbol.iterator]() {
    return this.entries();
  }

  #fill(): void {
    const message = this.#message;
    if (message === null) return;
    this.#message = null;
    for (const [name, values] of Object.entries(message.headers)) {
      for (const value of Array.isArray(values) ? values : [values ?? ""]) super.append(name, value);
    }
  }
}

/**
 * What a route handler reads of a `Request`, taken from Node's own without building one; a real `Request` is made only
 * for the methods that read the body in other ways than `request.body`.
 */
export function directRequest(message: IncomingMessage, response: ServerResponse, url: string): Request {
  return new DirectRequest(message, response, url) as unknown as Request;
}

/**
 * The body of such a request, as the parts it arrives in; null for other requests and for those without one. What is left
 * unread once `refuse` has answered an error for the bytes so far does not cut the connection.
 */
export function collectDirectly(
  request: unknown,
  refuse: (bytes: number) => Error | null,
): Promise<Uint8Array[]> | null {
  return request instanceof DirectRequest ? request.collect(refuse) : null;
}

class DirectRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  #abort: AbortController | undefined;
  #real: Request | undefined;

  constructor(message: IncomingMessage, response: ServerResponse, url: string) {
    this.url = url;
    this.method = message.method ?? "GET";
    this.headers = new DirectHeaders(message);
    this.#message = message;
    this.#response = response;
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
    if (!this.#hasBody()) return null;
    return { [Symbol.asyncIterator]: () => this.#message.iterator({ destroyOnReturn: false }) };
  }

  /** Null once somebody has begun to read it in another way. */
  collect(refuse: (bytes: number) => Error | null): Promise<Uint8Array[]> | null {
    const message = this.#message;
    if (!this.#hasBody() || message.destroyed || message.readableDidRead) return null;
    return new Promise((resolve, reject) => {
      const chunks: Uint8Array[] = [];
      let size = 0;
      const onData = (chunk: Uint8Array) => {
        size += chunk.byteLength;
        chunks.push(chunk);
        const error = refuse(size);
        if (error === null) return;
        message.pause();
        leave();
        reject(error);
      };
      const onEnd = () => {
        leave();
        resolve(chunks);
      };
      const onError = (error: Error) => {
        leave();
        reject(error);
      };
      const onClose = () => onError(new Error("The caller hung up before the body had arrived."));
      const leave = () => {
        message.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
      };
      message.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
    });
  }

  #hasBody(): boolean {
    const { headers } = this.#message;
    return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
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
