import { findOrInstallPostgres } from "./find-postgres.mjs";
import { startPostgres } from "./start-postgres.mjs";

/**
 * Does something with a PostgreSQL server of its own, whose address is in the environment that `work` gets. Resolves with
 * what that answers, or with one failure, so that a missing server cannot pass for success. `TEST_DATABASE_URL` names a
 * server that is there already.
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
