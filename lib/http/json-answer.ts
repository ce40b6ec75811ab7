type Init = { status: number; headers?: HeadersInit };

/** An answer of JSON whose text is at hand for whoever sends it; a stream is made only for who reads it as one. */
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

/** The text of such an answer without reading its body; undefined for others. */
export function answerText(response: Response): string | undefined {
  return response instanceof JsonAnswer ? response.answered : undefined;
}
