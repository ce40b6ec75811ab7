import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ceilingOf, measurePages, type PageBytes } from "@/bin/check/page-bytes.mjs";
import { buildBareNext } from "./harness/bare-next";
import type { BenchOptions } from "./harness/bench-options";
import { requireBuild, root } from "./harness/product-processes";

const EXTRA_BYTES = 30_000;

/**
 * The JavaScript that each page loads at first, in gzip bytes beyond a bare Next page that is built in the same run. The control
 * is a second bare page that imports a known amount more: it must be seen.
 */
export async function benchBundle({ json, only }: BenchOptions): Promise<void> {
  requireBuild();
  const extra = randomBytes(EXTRA_BYTES).toString("hex");
  const bare = measurePages(join(buildBareNext(pagesWith(extra)).folder, ".next"));
  const built = measurePages(join(root, process.env.NEXT_DIST_DIR ?? ".next"));
  const baseline = bare.framework + bytesOf(bare.pages, "/");
  const rows = built.pages
    .filter(({ page }) => only === null || only.some((part) => page.includes(part)))
    .map(({ page, bytes }) => ({ page, bytes: built.framework + bytes - baseline, ceiling: ceilingOf(page) }))
    .toSorted((a, b) => b.bytes - a.bytes);
  console.table(rows.map(({ page, bytes, ceiling }) => ({ page, kB: kB(bytes), "at most": ceiling && kB(ceiling) })));
  const seen = bytesOf(bare.pages, "/extra") - bytesOf(bare.pages, "/");
  const added = gzipSync(extra).length;
  const isSeen = seen >= added && seen < added * 1.1;
  const over = rows.filter(({ bytes, ceiling }) => ceiling !== null && bytes > ceiling);
  console.log(
    `bundle: ${rows.length} pages beyond the ${kB(baseline)} kB of a bare Next page, ${over.length} above their ceiling; control, ${kB(added)} kB more: ${kB(seen)} kB seen${isSeen ? "" : " (NOT THE SAME)"}`,
  );
  if (json) console.log(JSON.stringify({ bench: "bundle", baseline, rows, control: { added, seen } }));
  if (over.length > 0 || !isSeen) process.exitCode = 1;
}

/** A page like the bare one and one that imports `extra`, both with a component of the browser. */
function pagesWith(extra: string): Record<string, string> {
  return {
    "app/extra/page.jsx": `import { Extra } from "./extra";
export const dynamic = "force-dynamic";
export default function Page() { return <Extra />; }`,
    "app/extra/extra.jsx": `"use client";
import { useState } from "react";
import { extra } from "./bytes";
export function Extra() { const [shown] = useState(extra); return <p>{shown}</p>; }`,
    "app/extra/bytes.js": `export const extra = ${JSON.stringify(extra)};`,
  };
}

function bytesOf(pages: readonly PageBytes[], page: string): number {
  const found = pages.find((one) => one.page === page);
  if (found === undefined) throw new Error(`The bare application has no page ${page}.`);
  return found.bytes;
}

function kB(bytes: number): number {
  return Math.round(bytes / 100) / 10;
}
