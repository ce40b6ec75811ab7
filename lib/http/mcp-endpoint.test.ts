import { expect, test } from "vitest";
import { assertOwnOrigin } from "./mcp-endpoint";

const LOCAL = "http://127.0.0.1:3000";
const PUBLIC = "https://skills.example";

function isRefused(headers: Record<string, string>, publicUrl: string, listensOn: string): boolean {
  try {
    assertOwnOrigin(new Request(`${LOCAL}/mcp`, { headers }), publicUrl, listensOn);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: "cross_origin" });
    return true;
  }
}

test.each<[Record<string, string>, string, string, boolean]>([
  [{}, LOCAL, "127.0.0.1", false],
  [{ host: "127.0.0.1:3000" }, LOCAL, "127.0.0.1", false],
  [{ host: "localhost:9" }, LOCAL, "::1", false],
  [{ host: "[::1]:3000" }, LOCAL, "127.0.0.1", false],
  [{ host: "evil.example" }, LOCAL, "127.0.0.1", true],
  [{ host: "evil.example:3000" }, LOCAL, "localhost", true],
  [{ host: "localhost.evil.example" }, LOCAL, "127.0.0.1", true],
  // Reachable from other machines, whose names it does not know.
  [{ host: "skills.lan:3000" }, LOCAL, "0.0.0.0", false],
  [{ host: "skills.example" }, PUBLIC, "127.0.0.1", false],
  [{ host: "evil.example" }, PUBLIC, "127.0.0.1", false],
  [{ origin: "http://evil.example" }, LOCAL, "0.0.0.0", true],
  [{ origin: "http://localhost:3000", host: "localhost:3000" }, LOCAL, "127.0.0.1", false],
  [{ origin: PUBLIC }, PUBLIC, "0.0.0.0", false],
])("a request with %j at %s on %s is refused: %s", (headers, publicUrl, listensOn, refused) => {
  expect(isRefused(headers, publicUrl, listensOn)).toBe(refused);
});
