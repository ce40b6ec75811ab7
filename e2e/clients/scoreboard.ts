type Outcome = "passed" | "failed" | "skipped";

export type Scoreboard = ReturnType<typeof createScoreboard>;

/** Prints one line for each client and step as it ends, and counts them. */
export function createScoreboard() {
  const counts: Record<Outcome, number> = { passed: 0, failed: 0, skipped: 0 };
  const note = (outcome: Outcome, client: string, title: string, more = "") => {
    counts[outcome] += 1;
    console.log(
      `${outcome.padEnd(8)} ${client.padEnd(14)} ${title}${more ? `  — ${more.replaceAll(/\s+/g, " ")}` : ""}`,
    );
  };
  return {
    counts,
    skip: (client: string, title: string, reason: string) => note("skipped", client, title, reason),
    fail: (client: string, title: string, reason: string) => note("failed", client, title, reason),
    async step(client: string, title: string, work: () => Promise<unknown>): Promise<void> {
      const since = performance.now();
      try {
        await work();
        note("passed", client, title, `${((performance.now() - since) / 1000).toFixed(1)} s`);
      } catch (error) {
        note("failed", client, title, error instanceof Error ? error.message : String(error));
      }
    },
    summary: () => `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
  };
}
