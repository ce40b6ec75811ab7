import { expect, test } from "vitest";
import { isRedirectUri, isRegistered } from "./register-client";

test.each([
  "https://app.example.com/callback",
  "https://app.example.com/callback?from=skillgate",
  "http://127.0.0.1/callback",
  "http://127.0.0.1:41234/callback",
  "http://[::1]:9/callback",
  "http://localhost:8080/",
  "cursor://anysphere.cursor-mcp/oauth/callback",
  "com.example.app:/oauth",
])("an answer may be sent to %s", (uri) => expect(isRedirectUri(uri)).toBe(true));

test.each([
  "http://app.example.com/callback",
  "http://127.0.0.1.example.com/",
  "http://localhost.example.com/",
  "https://app.example.com/#part",
  "https://user:secret@app.example.com/",
  "https://app.example.com/a b",
  "javascript:alert(1)",
  "javascript://x/%0aalert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "cursor:callback",
  "//app.example.com/callback",
  "/callback",
  "",
])("no answer is sent to %s", (uri) => expect(isRedirectUri(uri)).toBe(false));

test.each([
  ["https://a.example/cb", "https://a.example/cb", true],
  ["https://a.example/cb", "https://a.example/cb/", false],
  ["https://a.example/cb", "https://a.example/cb?x=1", false],
  ["https://a.example/cb", "https://a.example:444/cb", false],
  ["https://a.example/cb", "https://A.example/cb", false],
  ["http://127.0.0.1/cb", "http://127.0.0.1:5000/cb", true],
  ["http://127.0.0.1:1/cb", "http://127.0.0.1:5000/cb", true],
  ["http://[::1]:1/cb", "http://[::1]:5000/cb", true],
  ["http://localhost:1/cb", "http://localhost:5000/cb", true],
  ["http://localhost:1/cb", "http://127.0.0.1:5000/cb", false],
  ["http://127.0.0.1:1/cb", "http://127.0.0.1:5000/other", false],
  ["http://127.0.0.1:1/cb", "http://127.0.0.1:5000@evil.example/cb", false],
  ["http://127.0.0.1:1", "http://127.0.0.1.evil.example", false],
  ["cursor://x/cb", "cursor://y/cb", false],
])("registered %s, given %s: %s", (registered, given, expected) => {
  expect(isRegistered([registered], given)).toBe(expected);
});
