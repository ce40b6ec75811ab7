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
