/** With more, something is wrong that another try only hides. */
const MAX_FILES = 5;

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
