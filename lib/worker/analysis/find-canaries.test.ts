import { expect, it } from "vitest";
import { createCanarySearch, rot13 } from "./find-canaries";

const TOKEN = "ghp_9fK2mQ7xLw3RtZ8vBn5YcJ1dHs6PgA4eUo0i";
const canaries = [{ name: "$GITHUB_TOKEN", token: TOKEN, path: null }];
const base64 = Buffer.from(TOKEN).toString("base64");
const backwards = (text: string) => [...text].reverse().join("");

it.each([
  backwards(base64),
  base64.replace(/[a-z]/gi, rot13),
  backwards(Buffer.from(TOKEN).toString("hex")),
  backwards(Buffer.from(base64).toString("base64")),
])("finds a secret that was encoded and then reversed or shifted: %s", async (text) => {
  const { search, unfinished } = createCanarySearch(canaries);
  const found = await search(Buffer.from(`POST /in HTTP/1.1\r\nHost: a.example\r\n\r\n${text}`));
  expect(found.map(({ canary }) => canary)).toEqual(["$GITHUB_TOKEN"]);
  expect(unfinished()).toBe(0);
});

it("finds nothing in ordinary text", async () => {
  const { search } = createCanarySearch(canaries);
  expect(await search(Buffer.from("The quick brown fox jumps over the lazy dog. ".repeat(50)))).toEqual([]);
});
