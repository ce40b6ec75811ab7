import type { RefusedRun } from "@/lib/audit/record-run-event";
import { isPerson } from "@/lib/core/actor";
import { AppError, type AskedRun } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { isIdShaped } from "@/lib/core/ids";
import { canonicalJson } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { EDGE_ARGUMENTS } from "@/lib/skill-format/arguments/call-arguments";
import { JsonObject } from "@/lib/skill-format/schema";
import { servedManifest } from "@/lib/skills/approval/served-manifest";
import { findNamedSkill, loadSkill, loadVersion } from "@/lib/skills/skill-access";
import { findEdge, ownArguments } from "./edges";

const MAX_NAME = 200;

/**
 * The audit log's description of a run that was refused at any stage, read with the caller's rights. Arguments are recorded by
 * digest only, since a refused run's arguments were mostly not checked against the schema that marks secrets.
 */
export async function describeRefusedRun(ctx: Ctx, { idOrName, args, workerId }: AskedRun): Promise<RefusedRun> {
  const skill = await findSkill(ctx, idOrName);
  const { current } = skill ?? { current: null };
  const given = JsonObject.safeParse(args);
  const schema = current === null ? null : servedManifest(current).schema;
  const own = given.success ? ownArguments(schema, given.data) : null;
  return {
    asked: idOrName.slice(0, MAX_NAME),
    skill: skill && { id: skill.id, name: skill.name, toolName: skill.toolName },
    versionDigest: current?.digest ?? null,
    class: current?.class ?? null,
    callerRole: isPerson(ctx.actor) ? ctx.actor.role : null,
    device: await deviceOf(ctx, [workerId, ...EDGE_ARGUMENTS.map((name) => given.data?.[name])]),
    argsDigest: own && sha256Hex(canonicalJson(own)),
  };
}

async function findSkill(ctx: Ctx, idOrName: string) {
  try {
    if (isPerson(ctx.actor)) return await findNamedSkill(ctx, idOrName);
    const skill = isIdShaped(idOrName) ? await loadSkill(ctx, idOrName) : undefined;
    return skill === undefined ? null : { ...skill, current: await loadVersion(ctx, skill.currentId) };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

async function deviceOf(ctx: Ctx, named: readonly unknown[]): Promise<string | null> {
  const asked = named.find((name) => typeof name === "string" && name !== "");
  if (typeof asked !== "string") return null;
  try {
    return (await findEdge(ctx, asked)).name;
  } catch (error) {
    if (error instanceof AppError) return asked.slice(0, MAX_NAME);
    throw error;
  }
}
