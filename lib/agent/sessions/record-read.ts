import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx, Tx } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import { type NewStep, recordStep } from "./record-step";

/** Adds the step of a tool by which an agent only reads, and its event, in one transaction. */
export async function recordRead(
  tx: Tx,
  ctx: Ctx,
  session: AgentSession,
  { args, ...step }: Omit<NewStep, "sessionId" | "tool"> & { tool: string; args?: unknown },
): Promise<void> {
  await recordStep(tx, ctx, { ...step, sessionId: session.id });
  await recordEvent(tx, ctx, {
    action: "agent.read",
    summary: `called ${step.tool}: ${step.detail}`,
    target: { kind: "agent-session", id: session.id, name: session.client },
    sessionId: session.id,
    tool: step.tool,
    ...(step.skillId ? { skillId: step.skillId } : {}),
    ...(step.versionDigest ? { versionDigest: step.versionDigest } : {}),
    ...(args === undefined ? {} : { arguments: args }),
  });
}
