/**
 * Runs all steps, a few at a time, and prints one line per step and the output of failed ones. Resolves with the
 * numbers of passed and failed steps; a failure does not stop the others.
 */
export async function runSteps(steps, { concurrency = 2, print = console.log } = {}) {
  const waiting = [...steps];
  const counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const takeNext = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const { ok, output, seconds } = await timeStep(step);
      counts[ok ? "passed" : "failed"]++;
      print(`${ok ? "✓" : "✗"} ${step.name}: ${ok ? "ok" : "failed"} (${seconds} s)`);
      if (!ok) counts.failures.push(step.name);
      if (!ok && output.trim()) print(output.trimEnd().replace(/^/gm, "    "));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, takeNext));
  return counts;
}

async function timeStep({ run }) {
  const startedAt = Date.now();
  const result = await run().catch((error) => ({ ok: false, output: String(error.stack ?? error) }));
  return { ...result, seconds: ((Date.now() - startedAt) / 1000).toFixed(1) };
}
