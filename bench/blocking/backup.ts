import { openCaller } from "../harness/call-api";
import { must } from "../harness/publish-skill";
import { withFilledAudit } from "./filled-audit";
import type { BlockingCase } from "./instance";

const PATIENCE_MS = 15 * 60_000;

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
