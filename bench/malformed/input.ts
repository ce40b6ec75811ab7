/** One request to try: as HTTP, or as bytes on a connection. `family` says what is wrong with it. */
export type Input = { family: string } & (
  | { kind: "http"; method: string; path: string; headers?: Record<string, string>; body?: Uint8Array | string }
  | { kind: "raw"; bytes: Uint8Array }
);

export type Fixture = {
  token: string;
  host: string;
  skillId: string;
  digest: string;
  runId: string;
  userId: string;
  /** Part of every name that tries to escape from the data directory; a file with this name anywhere has escaped. */
  marker: string;
};

export function http(
  family: string,
  method: string,
  path: string,
  rest: { headers?: Record<string, string>; body?: Uint8Array | string } = {},
): Input {
  return { family, kind: "http", method, path, ...rest };
}

export function rawRequests({ host, token }: Fixture): Input[] {
  const authorization = `Authorization: Bearer ${token}`;
  const start = (line: string, ...rest: string[]) =>
    [line, `Host: ${host}`, authorization, ...rest, "", ""].join("\r\n");
  const json = "Content-Type: application/json";
  const texts = [
    "GARBAGE\r\n\r\n",
    "\r\n\r\n\r\n",
    "\0\0\0\0\0\0\0\0",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "GET /api/health\r\n",
    "GET /api/health HTTP/9.9\r\n\r\n",
    "GET /api/health HTTP/1.1\r\n\r\n",
    start("GET /api/health HTTP/1.0"),
    start("GET http://evil.example/api/me HTTP/1.1"),
    start("GET api/me HTTP/1.1"),
    start("GET * HTTP/1.1"),
    start("OPTIONS * HTTP/1.1"),
    start("CONNECT 127.0.0.1:22 HTTP/1.1"),
    start("TRACE /api/me HTTP/1.1"),
    start("QUERY /api/skills HTTP/1.1"),
    start("GET /api/me HTTP/1.1", "Host: other.example"),
    start(
      "GET /api/me HTTP/1.1",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: x",
    ),
    start(
      "GET /_next/webpack-hmr HTTP/1.1",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ),
    start(
      "GET /api/me HTTP/1.1",
      "Connection: Upgrade, HTTP2-Settings",
      "Upgrade: h2c",
      "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
    ),
    start("GET /api/me HTTP/1.1", `X-Long: ${"x".repeat(100_000)}`),
    start("GET /api/me HTTP/1.1", ...Array.from({ length: 3_000 }, (_, index) => `X-${index}: y`)),
    start("GET /api/me HTTP/1.1", "X-Bad\0Name: y"),
    start("GET /api/me HTTP/1.1", " folded"),
    start("GET /api/me HTTP/1.1", "Expect: 100-continue"),
    start("POST /api/tokens HTTP/1.1", json, "Expect: something", "Content-Length: 2"),
    start(`GET /api/me?${"q".repeat(100_000)} HTTP/1.1`),
    start("GET /api/me\u0001 HTTP/1.1"),
    start("GET /%%%% HTTP/1.1"),
    start("GET /../../../../etc/passwd HTTP/1.1"),
    start("GET //// HTTP/1.1"),
    start("GET /api//me HTTP/1.1"),
    start("GET /api/skills/a%2fb/../../me HTTP/1.1"),
    start("GET ?x HTTP/1.1"),
    `${start("POST /api/tokens HTTP/1.1", json, "Content-Length: -1")}{}`,
    `${start("POST /api/tokens HTTP/1.1", json, "Content-Length: 99999999999999999999")}{}`,
    `${start("POST /api/tokens HTTP/1.1", json, "Content-Length: 2", "Content-Length: 3")}{}`,
    `${start("POST /api/tokens HTTP/1.1", json, "Content-Length: 2", "Transfer-Encoding: chunked")}0\r\n\r\n`,
    `${start("POST /api/tokens HTTP/1.1", json, "Transfer-Encoding: chunked")}zz\r\n{}\r\n0\r\n\r\n`,
    `${start("POST /api/tokens HTTP/1.1", json, "Transfer-Encoding: chunked")}ffffffffffffffff\r\n{}`,
    `${start("POST /api/tokens HTTP/1.1", json, "Transfer-Encoding: chunked")}2;${"x".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    `${start("POST /api/tokens HTTP/1.1", json, "Transfer-Encoding: gzip, chunked")}2\r\n{}\r\n0\r\n\r\n`,
    `${start("POST /api/tokens HTTP/1.1", json, "Transfer-Encoding: chunked")}2\r\n{}\r\n0\r\nX-Trailer: \0\r\n\r\n`,
    start("GET /api/me HTTP/1.1").repeat(20),
    `${start("GET /api/me HTTP/1.1")}GARBAGE\r\n\r\n`,
  ];
  return texts.map((text) => ({ family: "raw", kind: "raw", bytes: Buffer.from(text, "latin1") }));
}
