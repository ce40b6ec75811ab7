import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { DirectHeaders } from "./direct-request";

function headersOf(given: Record<string, string | string[]>): DirectHeaders {
  const message = new IncomingMessage(new Socket());
  Object.assign(message.headers, given);
  return new DirectHeaders(message);
}

const GIVEN = { accept: "text/html", "x-many": ["a", "b"], cookie: "a=1; b=2" };

test("one name at a time they say what headers that were taken over say", () => {
  const [lazy, taken] = [headersOf(GIVEN), headersOf(GIVEN)];
  expect([...taken]).toEqual([...new Headers([...Object.entries({ ...GIVEN, "x-many": "a, b" })])]);
  for (const name of ["Accept", "x-many", "COOKIE", "absent"]) {
    expect([lazy.get(name), lazy.has(name)]).toEqual([taken.get(name), taken.has(name)]);
  }
});

test("copied, sent on and changed they are like any others", () => {
  expect(new Headers(headersOf(GIVEN)).get("x-many")).toBe("a, b");
  expect(new Request("http://example.test/", { headers: headersOf(GIVEN) }).headers.get("accept")).toBe("text/html");
  const changed = headersOf(GIVEN);
  changed.set("accept", "*/*");
  changed.append("x-many", "c");
  changed.delete("cookie");
  expect(Object.fromEntries(changed)).toEqual({ accept: "*/*", "x-many": "a, b, c" });
});
