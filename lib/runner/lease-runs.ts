import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx, Tx } from "@/lib/db/context";
import { Grants } from "@/lib/policy/grants/schema";
import { whyRunLostApproval } from "@/lib/review/why-run-lost-approval";
import { getSettings } from "@/lib/settings/get-settings";
import { JsonObject, type SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { LEASE_SECONDS, type Lease, RunLimits } from "@/lib/worker/protocol";
import { endUnstartedRun } from "./end-unstarted-run";
import { type CallerCache, recheckRun } from "./recheck-run";
import { hasSandbox, noIsolationMessage, sandboxedClasses, scopesOfSandboxed } from "./require-isolation";
import { sandboxTerms } from "./sandbox-terms";

type WorkerRow = { id: string; name: string; manager: boolean; isolation: string | null };

/**
 * Hands the oldest waiting runs to a worker, at most `slots`. The fence rises with each hand-over, so that whatever an
 * earlier holder still says of a run is recognised as stale. A run whose approval no longer stands ends here, and so does
 * one that needs a sandbox when no worker that is online has one.
 */
export async function leaseRuns(tx: Tx, ctx: Ctx, worker: WorkerRow, slots: number): Promise<Lease[]> {
  if (slots === 0) return [];
  const scopes = worker.manager ? ["manager", "host"] : ["host"];
  const refused = hasSandbox(worker) ? [] : sandboxedClasses(await getSettings(ctx));
  const leftToOthers = refused.length === 0 ? [] : await scopesOfSandboxed(ctx, worker.id);
  const waiting = await tx.run.findMany({
    where: {
      state: "queued",
      OR: [
        { targetWorker: worker.id },
        {
          targetWorker: null,
          scope: { in: scopes },
          NOT: { class: { in: refused }, scope: { in: leftToOthers } },
        },
      ],
    },
    orderBy: [{ queuedAt: "asc" }, { id: "asc" }],
    take: slots,
    include: { version: { include: { files: true, decisions: true } }, skill: true },
  });
  const callers: CallerCache = new Map();
  const leases: Lease[] = [];
  for (const run of waiting) {
    const refusal = refuseUnsandboxed(run, worker, refused) ?? (await whyNotStart(ctx, run, callers));
    if (refusal !== null) {
      await endUnstartedRun(tx, ctx, run, refusal);
      continue;
    }
    const manifest = parseJsonColumn(SkillManifest, run.version.manifest);
    const fence = run.fence + 1;
    await tx.run.update({
      where: { id: run.id },
      data: {
        state: "running",
        fence,
        workerId: worker.id,
        isolation: worker.isolation,
        startedAt: ctx.now(),
        leaseUntil: new Date(ctx.now().getTime() + LEASE_SECONDS * 1000),
      },
    });
    leases.push({
      runId: run.id,
      fence,
      skillName: run.skill.name,
      versionDigest: run.versionDigest,
      files: run.version.files.map(({ path, mode, sha256, size }) => ({
        path,
        mode: mode === "755" ? "755" : "644",
        sha256,
        size,
      })),
      entry: manifest.entry ?? "",
      schema: manifest.schema,
      args: parseJsonColumn(JsonObject, run.args),
      env: parseJsonColumn(z.array(z.string()), run.env),
      limits: parseJsonColumn(RunLimits, run.limits),
      terms: sandboxTerms(parseJsonColumn(Grants, run.version.grants ?? "{}")),
    });
  }
  return leases;
}

type Queued = Parameters<typeof recheckRun>[1] &
  Parameters<typeof whyRunLostApproval>[1] & {
    versionId: string;
    skill: { enabled: boolean; listed: boolean; currentId: string | null };
  };

/** Checks once more, at the last moment, all that the run was let through under; null when it still holds. */
async function whyNotStart(ctx: Ctx, run: Queued, callers: CallerCache): Promise<Refusal | null> {
  const { version, skill } = run;
  const isApproved = version.state === "approved" && version.subject === run.subject && skill.enabled && skill.listed;
  // What people signed is the version that served then; an ordinary run may still start on the one before.
  const isCurrent = run.signatures === null || skill.currentId === run.versionId;
  if (!isApproved || !isCurrent) {
    return refusal(skill.name, "not_approved", "The approval this run was started under no longer stands.");
  }
  const changed = await whyRunLostApproval(ctx, run);
  if (changed !== null)
    return refusal(skill.name, "not_approved", `What is stored is not what was approved: ${changed}.`);
  const recheck = await recheckRun(ctx, run, callers);
  if (recheck.verdict === "start") return null;
  const unsigned = "It needs signatures now that it did not need when it was asked for.";
  return refusal(skill.name, "not_permitted", recheck.verdict === "refuse" ? recheck.message : unsigned);
}

/** What has to run in a sandbox and was left to this worker, which has none, ends here; it would wait for ever. */
function refuseUnsandboxed(run: Queued, worker: WorkerRow, refused: SkillClass[]): Refusal | null {
  const found = refused.find((name) => name === run.class);
  if (found === undefined) return null;
  return refusal(run.skill.name, "no_isolation", noIsolationMessage(`The worker “${worker.name}”`, found));
}

type Refusal = Parameters<typeof endUnstartedRun>[3];

function refusal(name: string, code: string, message: string): Refusal {
  const summary = `did not start ${name}: ${message}`;
  return { state: "failed", error: { code, message }, event: { action: "run.refuse", outcome: "refused", summary } };
}
