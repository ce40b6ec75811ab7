import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

/**
 * What a bare Next page loads beyond the main files of this build: the router and error boundaries. `npm run bench -- bundle`
 * builds such a page and measures it.
 */
const BARE_PAGE_BYTES = 3_000;

/** Most gzip bytes of JavaScript that a page loads at first beyond a bare Next page. The first pattern that fits applies. */
const CEILINGS = [
  { pages: /^\/sign-in$/, bytes: 25_000 },
  { pages: /^\/(skills|catalog|runs|approvals|schedules|reviews|agents|audit|collections)$/, bytes: 60_000 },
  { pages: /^\/skills\/(new|\[id\]\/edit)$/, bytes: 170_000 },
  { pages: /^\//, bytes: 120_000 },
];

/**
 * Gzip bytes of the scripts that each page of a Next build loads at first: `framework`, which every page loads, and of each page
 * the scripts of its layouts, boundaries and components. Scripts that a page loads later, with `import()`, are not counted.
 */
export function measurePages(distDir) {
  const sizes = new Map();
  const sizeOf = (file) => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(path.join(distDir, file))).length);
    return sizes.get(file);
  };
  const total = (files) => [...files].reduce((sum, file) => sum + sizeOf(file), 0);
  const main = new Set(JSON.parse(readFileSync(path.join(distDir, "build-manifest.json"), "utf8")).rootMainFiles);
  const pages = findManifests(path.join(distDir, "server", "app")).map((file) => {
    const files = filesOf(readFileSync(file, "utf8")).filter((script) => !main.has(script));
    return { page: addressOf(path.relative(path.join(distDir, "server", "app"), file)), bytes: total(new Set(files)) };
  });
  return { framework: total(main), pages };
}

/** `(app)/skills/[id]/page_client-reference-manifest.js` → `/skills/[id]` */
function addressOf(file) {
  const parts = path.dirname(file).split(path.sep);
  const shown = parts.filter((part) => part !== "." && !/^\(.*\)$/.test(part));
  return `/${shown.join("/")}`;
}

function findManifests(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "page_client-reference-manifest.js")
    .map((file) => path.join(folder, file));
}

/** The file assigns one JSON object: `globalThis.__RSC_MANIFEST["/skills/page"] = {…}`. */
function filesOf(text) {
  const manifest = JSON.parse(text.slice(text.indexOf("] = ") + 4).replace(/;?\s*$/, ""));
  return Object.values(manifest.entryJSFiles).flat();
}

/** The ceiling of a page in bytes; null for pages without one. */
export function ceilingOf(page, ceilings = CEILINGS) {
  return ceilings.find(({ pages }) => pages.test(page))?.bytes ?? null;
}

/** The pages of a build that load more than their ceiling, each with how to comply; `bare` is what a bare page loads of its own. */
export function findHeavyPages(pages, { ceilings = CEILINGS, bare = BARE_PAGE_BYTES } = {}) {
  return pages.flatMap(({ page, bytes }) => {
    const ceiling = ceilingOf(page, ceilings);
    const own = bytes - bare;
    if (ceiling === null || own <= ceiling) return [];
    return `${page} loads ${kB(own)} kB of JavaScript beyond a bare page, ${kB(ceiling)} kB at most. Comply: load what opens later with deferred() or next/dynamic; npm run bench -- bundle shows every page.`;
  });
}

/** Like `findHeavyPages`, for the build of the project at `root`. */
export function checkPageBytes(root) {
  return findHeavyPages(measurePages(path.join(root, process.env.NEXT_DIST_DIR ?? ".next")).pages);
}

function kB(bytes) {
  return (bytes / 1000).toFixed(1);
}
