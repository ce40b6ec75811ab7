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
