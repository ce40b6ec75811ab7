import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chainKeyOf } from "@/lib/audit/chain/chain-key";
import { writeHead } from "@/lib/audit/chain/heads";
import { indexAllEvents } from "@/lib/audit/index/index-events";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { createCtx } from "@/lib/db/context";
import { openDatabase } from "@/lib/db/open-database";
import { openCaller } from "../harness/call-api";
import { fillAudit } from "../harness/fill-audit";
import { root } from "../harness/product-processes";
import { must } from "../harness/publish-skill";
import { type BlockingCase, download } from "./instance";

const EVENTS = 1_000_000;
const FEW = 20_000;

const PATIENCE_MS = 15 * 60_000;

/** A data directory with a million indexed audit events, for a server that starts on it. SQLite only. */
export const withFilledAudit: NonNullable<BlockingCase["environment"]> = async ({ quick }) => {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-blocking-audit-"));
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  const file = join(data, "skillgate.db");
  await applyMigrations({ file }, join(root, "prisma", "migrations"));
  const database = await openDatabase({ file, synchronous: "off" });
  fillAudit(file, await chainKeyOf(database), quick ? FEW : EVENTS);
  await writeHead(database, new Date());
  await indexAllEvents(createCtx({ actor: { kind: "system", name: "Bench" }, database }));
  await database.close();
  return {
    env: { SKILLGATE_DATA: data, SKILLGATE_BACKUPS: join(folder, "backups") },
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** The audit log of a million events: exported twice, verified, and counted for a chart with filters and words. */
export const auditCase: BlockingCase = {
  name: "audit",
  environment: withFilledAudit,
  prepare: async () => {},
  run: async (instance) => {
    const all = await download(instance, "/api/audit/export?format=ndjson");
    const some = await download(instance, "/api/audit/export?format=csv&action=run.start");
    for (const query of ["", "?action=run.start", "?q=skill_7", "?q=skill_7&lanes=actor"])
      await must(instance.caller, "GET", `/api/audit/histogram${query}`);
    await must(instance.caller, "GET", "/api/audit/facets");
    await must(instance.caller, "GET", "/api/audit?limit=100&q=skill_7");
    for (;;) {
      const { state, ok, checked } = await must<{ state: string; ok: boolean | null; checked: number }>(
        instance.caller,
        "GET",
        "/api/audit/verify",
      );
      if (state === "running") continue;
      if (ok !== true) throw new Error("the audit log is not valid");
      return `${Math.round((all + some) / 1e6)} MB exported, ${checked} events verified`;
    }
  },
};

/** A backup with its verification, of a database with a million audit events. */
export const backupCase: BlockingCase = {
  name: "backup",
  environment: withFilledAudit,
  prepare: async () => {},
  run: async ({ url, token }) => {
    const caller = openCaller(url, token, PATIENCE_MS);
    try {
      const { bytes, verified } = await must<{ bytes: number; verified: boolean }>(
        caller,
        "POST",
        "/api/admin/backups",
        {},
      );
      if (!verified) throw new Error("the backup is not valid");
      return `${Math.round(bytes / 1e6)} MB`;
    } finally {
      caller.close();
    }
  },
};
