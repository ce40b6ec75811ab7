import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { configDefaults, defineConfig } from "vitest/config";
import { writeRouteTable } from "./bin/prepare/route-table.mjs";

writeRouteTable();

const everywhere = ["fail-on-console", "property-seed", "run-file-endings", "block-dns"].map(
  (name) => `./lib/testing/${name}.ts`,
);
// Loading modules and starting a DOM takes longer than most tests. What does not depend on it shares a process, file by file.
const shared = { isolate: false, setupFiles: [...everywhere, "./lib/testing/reset-process.ts"] };
const loadDeferred = "./components/ui/testing/load-deferred.ts";
const components = ["components/**/*.test.{ts,tsx}"];
const nodeFiles = ["{app,lib,prisma,bench}/**/*.test.ts"];
// With a PostgreSQL server these run on it, and otherwise on SQLite files; some are about one of the two.
const others = process.env.TEST_DATABASE_URL ? "**/*.sqlite.test.ts" : "**/*.postgres.test.ts";
// What these look at is processes: their sizes, their ends, their signals.
const aboutProcesses = ["lib/worker/**/*.test.ts", "bin/**/*.test.mjs"];
const mocking = ["app", "lib", "components", "prisma", "bench"].flatMap(filesThatMock);
const mockingComponents = mocking.filter((file) => file.startsWith("components/"));
const mockingOthers = mocking.filter((file) => !file.startsWith("components/"));

/** The test files that replace modules: what another file of the same process has loaded already would stay as it is. */
function filesThatMock(folder: string): string[] {
  const root = import.meta.dirname;
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`)
    .filter((file) => /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(join(root, file), "utf8")));
}

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Three quarters of an hour off: code that takes local time for UTC, or whole-hour offsets for granted, shows.
    // Servers of tests listen on loopback, which an operator has to open.
    env: { TZ: "Asia/Kathmandu", SKILLGATE_OUTGOING_RANGES: "127.0.0.0/8,::1" },
    projects: [
      {
        extends: true,
        test: {
          name: "alone",
          environment: "node",
          include: [...aboutProcesses, ...mockingOthers],
          setupFiles: everywhere,
        },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          ...shared,
          setupFiles: [...shared.setupFiles, loadDeferred],
          name: "dom",
          environment: "jsdom",
          include: components,
          exclude: [...configDefaults.exclude, ...mockingComponents],
        },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: "dom-alone",
          environment: "jsdom",
          include: mockingComponents,
          setupFiles: [...everywhere, loadDeferred],
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: "node",
          environment: "node",
          include: nodeFiles,
          exclude: [...configDefaults.exclude, others, ...aboutProcesses, ...mockingOthers],
        },
      },
    ],
  },
});
