import { expect, test } from "vitest";
import { ForwardFile, ForwardSyslog, ForwardWebhook } from "./schema";

test.each([
  ["", true],
  ["https://logs.example.com/in", true],
  ["http://127.0.0.1:9000/", true],
  ["http://[::1]:9000/", true],
  ["http://logs.example.com/in", false],
  ["http://127.0.0.1.example.com/", false],
  ["https://user:secret@logs.example.com/", false],
  ["ftp://logs.example.com/", false],
  ["logs", false],
])("a webhook to %j: %s", (url, isFine) => {
  expect(ForwardWebhook.safeParse(url).success).toBe(isFine);
});

test.each([
  ["", true],
  ["tcp://logs.example.com:601", true],
  ["udp://192.0.2.1:514", true],
  ["udp://[2001:db8::1]:514", true],
  ["http://logs.example.com", false],
  ["tcp://", false],
  ["tcp://logs.example.com/path", false],
])("syslog to %j: %s", (url, isFine) => {
  expect(ForwardSyslog.safeParse(url).success).toBe(isFine);
});

test.each([
  [ForwardFile, "events.ndjson"],
  [ForwardSyslog, "tcp://logs.example.com:601"],
  [ForwardWebhook, "https://logs.example.com/in"],
] as const)(
  "no control character stands in a name or an address, also where trimming or a parser would drop it",
  (schema, text) => {
    expect(schema.safeParse(` ${text} `).data).toBe(text);
    for (const control of ["\n", "\r", "\t", "\u0000", "\u0085"]) {
      for (const at of [0, 8, text.length]) {
        const given = text.slice(0, at) + control + text.slice(at);
        expect(schema.safeParse(given).success, JSON.stringify(given)).toBe(false);
      }
    }
  },
);

test("a file is a name, never a path", () => {
  const fine = ["", "events.ndjson", "a-b_c"].map((name) => ForwardFile.safeParse(name).success);
  const wrong = ["../x", "/etc/passwd", "a/b", ".hidden", "..", "a\u0000b"].map(
    (name) => ForwardFile.safeParse(name).success,
  );
  expect([...fine, ...wrong]).toEqual([true, true, true, false, false, false, false, false, false]);
});
