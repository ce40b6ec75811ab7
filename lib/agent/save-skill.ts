import { AppError } from "@/lib/core/errors";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { createSkill, writePlaybook } from "@/lib/skills/edit-skills";
import { createVersion } from "@/lib/skills/versions/create-version";
import { submitVersion } from "@/lib/skills/versions/submit-version";
import type { SaveSkillInput } from "./built-in-tools";
import type { ToolAnswer } from "./schema";
import { recordStep } from "./sessions/record-step";

/**
 * Saves a playbook as a skill of the token’s person and submits it for review. An existing skill of that name gets a new version
 * if they wrote it as one file, and its approved version stays active; any other existing skill is `conflict`. Saving the same
 * text again changes nothing. Needs the scope `write`; `invalid` for a body with frontmatter.
 */
export async function saveSkill(ctx: Ctx, session: AgentSession, input: SaveSkillInput): Promise<ToolAnswer> {
  const actor = requireScope(ctx.actor, "write");
  const { body, ...head } = input;
  if (body.trim() === "" || /^\uFEFF?\s*---/.test(body)) {
    const message =
      body.trim() === "" ? "must not be empty" : "must not begin with frontmatter; name and description are arguments";
    throw new AppError("invalid", `The body ${message}.`, { errors: [{ path: "body", message }] });
  }
  const saved = await inTransaction(ctx, async (tx, txCtx) => {
    const own = await tx.skill.findFirst({ where: { ownerKey: actor.userId, liveSlug: input.name } });
    const parts = { ...head, body };
    const stored = own === null ? await create(txCtx, parts) : await revise(tx, txCtx, own, parts);
    if (stored.isNew) await submitVersion(txCtx, stored.skillId, stored.digest);
    const { skillId, digest } = stored;
    const { state } = await tx.version.findUniqueOrThrow({ where: { skillId_digest: { skillId, digest } } });
    await recordStep(tx, txCtx, {
      ...{ sessionId: session.id, kind: "saved", tool: "save_skill" },
      ...{ skillId, versionDigest: digest },
      detail: stored.isNew ? `saved ${input.name} for review` : `saved ${input.name} without changes`,
    });
    return { skillId, digest, state };
  });
  const waits = saved.state === "pending";
  return {
    content: waits
      ? `Saved “${input.name}”. It is not offered to agents until a person has reviewed it.`
      : `“${input.name}” already has this text; its version is ${saved.state.replace("_", " ")}.`,
    notes: [],
    structured: { ...saved, name: input.name },
    isError: false,
  };
}

type Parts = Omit<SaveSkillInput, "body"> & { body: string };
type Saved = { skillId: string; digest: string; isNew: boolean };

async function create(ctx: Ctx, parts: Parts): Promise<Saved> {
  const { id } = await createSkill(ctx, parts);
  const [version] = await ctx.db.version.findMany({ where: { skillId: id } });
  if (version === undefined) throw new Error("the new skill has no version");
  return { skillId: id, digest: version.digest, isNew: true };
}

async function revise(
  tx: Tx,
  ctx: Ctx,
  skill: { id: string; name: string; source: string },
  parts: Parts,
): Promise<Saved> {
  const newest = await tx.version.findFirst({
    where: { skillId: skill.id },
    orderBy: { number: "desc" },
    include: { files: true },
  });
  const isPlain = newest?.files.length === 1 && newest.files[0]?.path === "SKILL.md";
  if (skill.source !== "authored" || newest === null || !isPlain) {
    throw new AppError(
      "conflict",
      `A skill “${skill.name}” that was not written as one file already exists. Choose another name.`,
    );
  }
  const text = new TextDecoder().decode(writePlaybook(parts).bytes);
  const { digest } = await createVersion(ctx, skill.id, {
    files: [{ path: "SKILL.md", text }],
    baseDigest: newest.digest,
  });
  const version = await tx.version.findUniqueOrThrow({ where: { skillId_digest: { skillId: skill.id, digest } } });
  return { skillId: skill.id, digest, isNew: version.state === "draft" };
}
