import { must } from "../harness/publish-skill";
import { download } from "./download";
import { withFilledAudit } from "./filled-audit";
import type { BlockingCase } from "./instance";

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
