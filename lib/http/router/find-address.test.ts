import { expect, test } from "vitest";
import { addressTable } from "./find-address";

const find = addressTable({
  endpoints: [
    "/api/[...unknown]",
    "/api/auth/[...nextauth]",
    "/api/lists/[scope]/[...path]",
    "/api/runs/[id]",
    "/api/runs/[id]/events",
    "/api/runs/summary",
    "/api/skills/[id]/versions/[digest]/files/[...path]",
    "/mcp",
  ],
  pages: ["/", "/skills/[id]"],
  rewrites: [
    ["^/p/(?<handle>\\w+)/\\.well-known/(?<path>.+)$", "/api/lists/p~$<handle>/$<path>"],
    ["^/api/old$", "/api/runs/summary"],
    ["^/v9/$", "/mcp"],
  ],
});

test.each([
  ["/api/runs/summary", "/api/runs/summary"],
  ["/api/runs/0193?x=/api/skills", "/api/runs/[id]"],
  ["/api/skills/a/versions/b/files/in/it.md", "/api/skills/[id]/versions/[digest]/files/[...path]"],
  ["/api/skills/a", "/api/[...unknown]"],
  ["/api/Runs/summary", "/api/[...unknown]"],
  ["/skills/a", "/skills/[id]"],
  ["/_next/static/chunks/1.js", "static"],
  ["/nowhere", "other"],
  ["*", "other"],
  ["/mcp/", "other"],
  ["/v9", "other"],
  ["/v9/", "/mcp"],
  ["/x/../v9/?q=1", "/mcp"],
  ["//v9/", "other"],
  ["/v9//", "other"],
  ["http://elsewhere.test/mcp", "other"],
])("%s is called %s", (target, name) => {
  expect(find(target).name).toBe(name);
});

test.each([
  ["/mcp", "/mcp", {}],
  ["/api/auth/csrf", "/api/auth/csrf", { nextauth: ["csrf"] }],
  ["/api/runs/summary?x=1&x=/../2", "/api/runs/summary?x=1&x=/../2", {}],
  ["/api/runs/a%2Fb%41?x#y", "/api/runs/a%2Fb%41?x", { id: "a%2Fb%41" }],
  ["/api/runs/ä b", "/api/runs/%C3%A4%20b", { id: "%C3%A4%20b" }],
  ["/api/skills/../runs/./x/events", "/api/runs/x/events", { id: "x" }],
  ["/api/skills/%2e%2e/mcp", "/api/mcp", { unknown: ["mcp"] }],
  ["/api/runs/[id]", "/api/runs/[id]", { id: "[id]" }],
  ["/api/lists/root/a/b", "/api/lists/root/a/b", { scope: "root", path: ["a", "b"] }],
  ["/p/acme/.well-known/a%2Fb/c?d", "/api/lists/p~acme/a%2Fb/c?d", { scope: "p~acme", path: ["a%2Fb", "c"] }],
])("%s is answered by the route file of %s", (target, address, params) => {
  expect(find(target).endpoint).toEqual({ target: address, params });
});

test.each([
  "/",
  "/skills/a",
  "/mcp/",
  "//mcp",
  "/api//runs/x",
  "/api\\runs\\x",
  "/api/runs/.",
  "/p/acme/.well-known/a/",
  "/p/a.b/.well-known/a",
  "http://elsewhere.test/mcp",
])("%s is left to the framework", (target) => {
  expect(find(target).endpoint).toBeNull();
});

test("an alias below /api wins over the route file of unknown addresses", () => {
  expect(find("/api/old?x").endpoint?.target).toBe("/api/runs/summary?x");
});

test.each([
  "/P/acme/.well-known/a",
  "/p/acme/.Well-Known/a?b",
  "/p/acme/x/../.WELL-KNOWN/a",
  "//P/acme/.well-known/a",
  "/P/acme/.well-known/a/",
  "http://elsewhere.test/P/acme/.well-known/a",
])("%s is a public address in the wrong case", (target) => {
  expect(find(target)).toEqual({ name: "other", endpoint: null });
});

test.each(["", "http://", "http://[", "/\t/[", "//[", "/%", "\\\\[", "?", "#", "http://a:99999/"])(
  "%j is found nowhere, without an exception",
  (target) => {
    expect(find(target).endpoint).toBeNull();
  },
);
