import { expect, test } from "vitest";
import { pageAddress } from "./next-auth-options";

const site = "https://skills.example.test";

test.each([
  ["/runs?state=failed#r1", `${site}/runs?state=failed#r1`],
  [`${site}/skills`, `${site}/skills`],
  ["runs", `${site}/runs`],
])("%s is a page of this site", (url, address) => {
  expect(pageAddress(url, site)).toBe(address);
});

test.each([
  "https://evil.example.test/",
  "//evil.example.test",
  "/\\evil.example.test",
  "\\\\evil.example.test",
  "/\t/evil.example.test",
  "javascript:alert(1)",
  "data:text/html,hello",
  "http://skills.example.test/",
  "https://skills.example.test@evil.example.test/",
  "https://skills.example.test.evil.example.test/",
  "https://skills.example.test:8443/",
  "/api/auth/signout",
  "/runs/..//evil.example.test",
  "http://",
])("%s is none, and leads to the first page", (url) => {
  expect(pageAddress(url, site)).toBe(site);
});
