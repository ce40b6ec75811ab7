import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { startFakeGitHub } from "@/e2e/fixtures/fake-github/start-fake-github";
import { type Ctx, createCtx } from "@/lib/db/context";
import { testDatabase } from "@/lib/testing/test-database";
import { createRateLimitGuard } from "../github/rate-limit";
import { createSource } from "../sources/create-source";
import type { CatalogSource, CreateSourceInput } from "../sources/schema";
import { getSource, syncSource } from "../sources/sources";
import { createSyncRunner } from "../sync/sync-runner";

/** Makes a database, an admin, a fake GitHub and a sync runner without delays for a test file. */
export async function testCatalog({ timeoutMs = 10_000 } = {}) {
  const { database, person, as } = await testDatabase();
  const github = await startFakeGitHub();
  const dataDir = mkdtempSync(join(tmpdir(), "skillgate-catalog-"));
  process.env.GITHUB_API_URL = github.apiUrl;
  process.env.GITHUB_RAW_URL = github.rawUrl;
  process.env.SKILLGATE_DATA = dataDir;
  afterAll(async () => {
    await github.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const admin = await person("admin");
  let offsetMs = 0;
  const now = () => new Date(Date.now() + offsetMs);
  const adminCtx: Ctx = { ...admin.ctx, now };
  const system = createCtx({ actor: { kind: "system", name: "test" }, database, now });
  const options = { timeoutMs, retryDelayMs: 1, rateLimitGuard: createRateLimitGuard(), now };
  const runner = createSyncRunner(options);
  let names = 0;

  const settle = async () => {
    while ((await runner.start(system)) > 0) await runner.idle();
    await runner.idle();
  };
  return {
    ...{ database, person, as, github, admin: adminCtx, system, options, settle },
    pass: (ms: number) => {
      offsetMs += ms;
    },
    source: async (
      files: Parameters<Awaited<ReturnType<typeof github.repository>>["commit"]>[0] | null,
      input: Partial<CreateSourceInput> = {},
    ) => {
      names += 1;
      const name = `acme/skills-${names}`;
      const repository = await github.repository(name);
      if (files !== null) await repository.commit(files);
      const source = await createSource(adminCtx, {
        label: `Source ${names}`,
        repoUrl: `https://github.com/${name}`,
        enabled: true,
        intervalMinutes: 360,
        sync: false,
        ...input,
      });
      return { name, repository, id: source.id };
    },
    /** Syncs a source and returns it. Resets the request counts of the fake GitHub. */
    sync: async (id: string): Promise<CatalogSource> => {
      github.seen.length = 0;
      await syncSource(adminCtx, id);
      await settle();
      return getSource(adminCtx, id);
    },
    entries: (sourceId: string) =>
      database.reader.catalogEntry.findMany({ where: { sourceId }, orderBy: { folder: "asc" } }),
    events: (targetId: string) => database.reader.auditEvent.findMany({ where: { targetId }, orderBy: { seq: "asc" } }),
  };
}

export function skillMd(name: string, description = `Does ${name}.`, more = ""): string {
  return `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n# ${name}\n`;
}
