import { findOrInstallPostgres } from "./find-postgres.mjs";
import { startPostgres } from "./start-postgres.mjs";

/**
 * Runs `work` with a PostgreSQL server, whose address is in the environment it gets. Resolves with its result, or with
 * one failure, so that a missing server cannot pass. `TEST_DATABASE_URL` names an existing server.
 */
export async function withPostgres(env, work) {
  if (env.TEST_DATABASE_URL) return work(env);
  const { folder, problem } = await findOrInstallPostgres(env);
  if (problem)
    return [{ passed: 0, failed: 1, skipped: 0, failures: [`the tests on PostgreSQL could not run: ${problem}`] }];
  const server = await startPostgres(folder, { env });
  try {
    return await work({ ...env, TEST_DATABASE_URL: server.url });
  } finally {
    await server.stop();
  }
}
