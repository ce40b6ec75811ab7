import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findHeavyPages, measurePages } from "./page-bytes.mjs";

let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "page-bytes-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file, text) {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

const size = (text) => gzipSync(text).length;

it("counts each script of a page once, and those of the framework apart", () => {
  write("build-manifest.json", JSON.stringify({ rootMainFiles: ["static/main.js"] }));
  write("static/main.js", "main");
  write("static/shared.js", "shared by all");
  write("static/list.js", "a list of things");
  write("static/later.js", "loaded by import()");
  const manifest = {
    entryJSFiles: { layout: ["static/main.js", "static/shared.js"], page: ["static/shared.js", "static/list.js"] },
  };
  write(
    "server/app/(app)/skills/[id]/page_client-reference-manifest.js",
    `globalThis.__RSC_MANIFEST["/(app)/skills/[id]/page"] = ${JSON.stringify(manifest)};`,
  );
  expect(measurePages(folder)).toEqual({
    framework: size("main"),
    pages: [{ page: "/skills/[id]", bytes: size("shared by all") + size("a list of things") }],
  });
});

it("names the pages above their ceiling, and what they load beyond a bare page", () => {
  const ceilings = [
    { pages: /^\/sign-in$/, bytes: 25_000 },
    { pages: /^\/skills$/, bytes: 60_000 },
  ];
  const pages = [
    { page: "/sign-in", bytes: 28_000 },
    { page: "/skills", bytes: 70_000 },
    { page: "/other", bytes: 900_000 },
  ];
  const problems = findHeavyPages(pages, { ceilings, bare: 3_000 });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^\/skills loads 67\.0 kB of JavaScript beyond a bare page, 60\.0 kB at most\./);
});
