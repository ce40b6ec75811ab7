/** Lists what the host lacks and what was skipped, flaky or failed, then prints the one line that sums up; returns how many failed. */
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
