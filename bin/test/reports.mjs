import { stripVTControlCharacters } from "node:util";

const MAX_REASON = 400;

/** With more, something is wrong that another try only hides. */
const MAX_FILES = 5;

/** Results of a test run; `failures` are titles with the beginning of the error, `skips` are titles. */
const none = () => ({ passed: 0, failed: 0, skipped: 0, flaky: [], failures: [], skips: [] });

/** Counts vitest's JSON report. A file that could not be loaded counts as one failure. */
export function countVitest(report) {
  const counts = none();
  for (const { fullName, failureMessages } of report.flaky ?? [])
    counts.flaky.push(say(fullName, failureMessages?.[0]));
  for (const { name, status, message, assertionResults } of report.testResults) {
    for (const { status, fullName, failureMessages } of assertionResults) {
      add(counts, vitestOutcome(status), fullName, failureMessages?.[0]);
    }
    const hasFailedTest = assertionResults.some((test) => test.status === "failed");
    if (status === "failed" && !hasFailedTest) add(counts, "failed", `${name}: ${message || "could not be loaded"}`);
  }
  return counts;
}

/** Counts Playwright's JSON report. Errors outside tests count as failures. */
export function countPlaywright(report) {
  const counts = none();
  for (const { title, test } of report.suites.flatMap((suite) => listTests(suite, []))) {
    const reason = test.results?.find(({ error }) => error)?.error.message;
    if (test.status === "flaky") counts.flaky.push(say(title, reason));
    add(counts, { expected: "passed", flaky: "passed", skipped: "skipped" }[test.status] ?? "failed", title, reason);
  }
  for (const { message } of report.errors ?? []) add(counts, "failed", message ?? "an error outside any test");
  return counts;
}

/** A run that ended with an error, without a report, or without tests has failed, regardless of the report. */
export function settle(counts, { name, code }) {
  const settled = counts ?? none();
  if (code !== 0 && settled.failed === 0) add(settled, "failed", `${name} ended with exit code ${code}`);
  else if (settled.passed + settled.failed + settled.skipped === 0) add(settled, "failed", `${name} found no tests`);
  return settled;
}

function vitestOutcome(status) {
  return { passed: "passed", failed: "failed" }[status] ?? "skipped";
}

function listTests(suite, parents) {
  const titles = suite.title ? [...parents, suite.title] : parents;
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map((test) => ({ title: [...titles, spec.title].join(" › "), test })),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => listTests(inner, titles))];
}

function add(counts, outcome, title, reason) {
  counts[outcome]++;
  if (outcome === "failed") counts.failures.push(say(title, reason));
  if (outcome === "skipped") counts.skips.push(title);
}

/** One line with the reason, so that a truncated log still shows it. */
function say(title, reason) {
  if (!reason) return title;
  return `${title}: ${stripVTControlCharacters(reason).replaceAll(/\s+/g, " ").slice(0, MAX_REASON)}`;
}

/** Prints missing tools, skipped, flaky and failed tests, and a summary line; returns the number of failures. */
export function printSummary(results, gaps = [], print = console.log) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const titles = (key) => results.flatMap((result) => result[key] ?? []);
  for (const gap of gaps) print(`this host: ${gap}`);
  for (const title of titles("skips")) print(`skipped: ${title}`);
  for (const title of titles("flaky")) print(`flaky, passed on a retry: ${title}`);
  for (const title of titles("failures")) print(`failed: ${title}`);
  print(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
  return sum("failed");
}

/**
 * The test files of a report to run again, each as a whole, because a test depends on what earlier tests of its file stored.
 * None when too many failed.
 */
export function filesToRetry(report) {
  const files = report.testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
  return files.length > MAX_FILES ? [] : files;
}

/**
 * The first report, with the results of the second in place of its own for the same files; `flaky` lists what failed in the
 * first only.
 */
export function mergeRetry(first, second) {
  const retried = new Map(second.testResults.map((file) => [file.name, file]));
  const failedAgain = new Set(second.testResults.flatMap((file) => failedTests(file).map(({ fullName }) => fullName)));
  const flaky = first.testResults
    .filter(({ name }) => retried.has(name))
    .flatMap(failedTests)
    .filter(({ fullName }) => !failedAgain.has(fullName));
  return { testResults: first.testResults.map((file) => retried.get(file.name) ?? file), flaky };
}

function failedTests({ assertionResults }) {
  return assertionResults.filter(({ status }) => status === "failed");
}
