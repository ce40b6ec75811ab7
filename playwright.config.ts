import { existsSync } from "node:fs";
import { defineConfig } from "playwright/test";

const systemChromium = "/usr/bin/chromium";
const isCi = Boolean(process.env.CI);

/** Fixtures start their own servers, on free ports and new data directories; tests share nothing. */
export default defineConfig({
  testDir: "e2e",
  // Writes into docs/pictures, so it runs only when asked for.
  testIgnore: process.env.SKILLGATE_PICTURES ? [] : "**/pictures/**",
  outputDir: "test-results",
  workers: 1,
  retries: isCi ? 1 : 0,
  forbidOnly: isCi,
  // Each spec starts a server, possibly on a busy machine.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    // Recording every test costs a quarter of the time. Under CI a failed test is repeated, and the repetition is recorded.
    trace: "on-first-retry",
    actionTimeout: 15_000,
    // Animations would delay clicks.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: { executablePath: findExecutable(), args: launchFlags() },
  },
});

// Undefined lets Playwright use its own download.
function findExecutable() {
  return process.env.PLAYWRIGHT_CHROMIUM_PATH || (existsSync(systemChromium) ? systemChromium : undefined);
}

function launchFlags() {
  const flags = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return process.getuid?.() === 0 ? ["--no-sandbox", ...flags] : flags;
}
