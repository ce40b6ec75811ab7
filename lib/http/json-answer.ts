type Init = { status: number; headers?: HeadersInit };

/** A JSON response that keeps its text for the sender; it creates a stream only when its body is read. */
class JsonAnswer extends Response {
  readonly answered: string;
  #real: Response | undefined;

  constructor(text: string, { status, headers }: Init) {
    super(null, headers === undefined ? { status } : { status, headers });
    this.answered = text;
    if (!this.headers.has("content-type")) this.headers.set("content-type", "application/json");
  }

  override get body() {
    return this.#asResponse().body;
  }
  override get bodyUsed() {
    return this.#real?.bodyUsed ?? false;
  }
  override text() {
    return this.#asResponse().text();
  }
  override json() {
    return this.#asResponse().json();
  }
  override arrayBuffer() {
    return this.#asResponse().arrayBuffer();
  }
  override blob() {
    return this.#asResponse().blob();
  }
  override formData() {
    return this.#asResponse().formData();
  }
  override clone() {
    return new JsonAnswer(this.answered, { status: this.status, headers: this.headers });
  }

  #asResponse(): Response {
    this.#real ??= new Response(this.answered, { status: this.status, headers: this.headers });
    return this.#real;
  }
}

export function jsonAnswer(text: string, init: Init): Response {
  return new JsonAnswer(text, init);
}

/** Text of a `jsonAnswer` without reading its body; undefined for other responses. */
export function answerText(response: Response): string | undefined {
  return response instanceof JsonAnswer ? response.answered : undefined;
}
