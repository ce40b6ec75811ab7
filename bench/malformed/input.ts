/** One request to try: as HTTP, or as bytes on a connection. Its family says what is wrong with it. */
export type Input = { family: string } & (
  | { kind: "http"; method: string; path: string; headers?: Record<string, string>; body?: Uint8Array | string }
  | { kind: "raw"; bytes: Uint8Array }
);

/** What exists on the server, so that inputs get past the first look. */
export type Fixture = {
  token: string;
  host: string;
  skillId: string;
  digest: string;
  runId: string;
  userId: string;
  /** In every name that tries to get out of the data directory; a file of this name anywhere is one that did. */
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
