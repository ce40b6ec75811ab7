import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const everywhere = ["./lib/testing/fail-on-console.ts", "./lib/testing/property-seed.ts"];
const domSetup = "./lib/testing/dom-setup.ts";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    pool: "forks",
    maxWorkers: 2,
    retry: process.env.CI ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Three quarters of an hour off: code that takes local time for UTC, or whole-hour offsets for granted, shows.
    env: { TZ: "Asia/Kathmandu" },
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          environment: "node",
          include: ["{app,lib,prisma,bench}/**/*.test.ts", "bin/**/*.test.mjs"],
          setupFiles: everywhere,
        },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: "dom",
          environment: "jsdom",
          include: ["components/**/*.test.{ts,tsx}"],
          setupFiles: [...everywhere, ...(existsSync(domSetup) ? [domSetup] : [])],
        },
      },
    ],
  },
});
