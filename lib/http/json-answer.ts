const texts = new WeakMap<Response, string>();

/** An answer of JSON whose text is at hand for whoever sends it. */
export function jsonAnswer(text: string, init: { status: number; headers?: HeadersInit }): Response {
  const headers = new Headers(init.headers);
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  const response = new Response(text, { status: init.status, headers });
  texts.set(response, text);
  return response;
}

/** The text of such an answer without reading its body; undefined for others. */
export function answerText(response: Response): string | undefined {
  return texts.get(response);
}
