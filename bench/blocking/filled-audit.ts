import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chainKeyOf } from "@/lib/audit/chain/chain-key";
import { writeHead } from "@/lib/audit/chain/heads";
import { indexAllEvents } from "@/lib/audit/index/index-events";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { createCtx } from "@/lib/db/context";
import { openDatabase } from "@/lib/db/open-database";
import { fillAudit } from "../harness/fill-audit";
import { root } from "../harness/product-processes";
import type { BlockingCase } from "./instance";

const EVENTS = 1_000_000;
const FEW = 20_000;

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
