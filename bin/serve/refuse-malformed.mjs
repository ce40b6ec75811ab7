import { randomUUID } from "node:crypto";
import { everywhere, ofApi } from "../../security-headers.mjs";

const DETAIL = "The address has a broken percent escape.";

/**
 * Why the framework cannot be given a request: the path of its address has percent escapes that are not UTF-8, on which it
 * fails as if the server were broken. Answers 400 and true; for the API as a problem (RFC 9457), elsewhere as plain text.
 */
export function refuseMalformed(request, response) {
  const path = (request.url ?? "/").split(/[?#]/, 1)[0];
  if (isDecodable(path)) return false;
  const requestId = randomUUID();
  const isApi = /^\/+api(\/|$)/.test(path);
  const problem = { type: "/docs/api#malformed", title: "malformed", status: 400, code: "malformed", detail: DETAIL };
  for (const { key, value } of isApi ? [...everywhere, ...ofApi] : everywhere) response.setHeader(key, value);
  response.writeHead(400, {
    "content-type": isApi ? "application/problem+json" : "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "x-request-id": requestId,
  });
  response.end(isApi ? JSON.stringify({ ...problem, requestId }) : `${DETAIL}\n`);
  return true;
}

function isDecodable(path) {
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
