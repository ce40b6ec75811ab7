import { stringify } from "yaml";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { getSkill } from "./get-skill";
import type { CreateSkillInput, Skill } from "./schema";
import { requireOwnerKey } from "./skill-access";
import { unusableUpload } from "./transfer/read-upload";
import { filesFromInput } from "./versions/files-from-input";
import { storeVersion } from "./versions/store-version";

/** Creates a skill with a draft version. `conflict` when the owner has a skill of this name. */
export async function createSkill(ctx: Ctx, input: CreateSkillInput): Promise<Skill> {
  const actor = requireScope(ctx.actor, "write");
  const ownerKey = requireOwnerKey(actor, input.owner ?? "me");
  const files = "files" in input ? filesFromInput(input.files) : [writePlaybook(input)];
  const read = {
    folder: "name" in input ? input.name : "skill",
    files,
    ...readSkill(files, { folder: "name" in input ? input.name : "skill" }),
  };
  if (read.diagnostics.some((diagnostic) => diagnostic.severity === "error")) {
    throw unusableUpload({ usable: [], refused: [read], diagnostics: [] });
  }
  const { skillId } = await inTransaction(ctx, async (tx, txCtx) => {
    const taken = await tx.skill.findFirst({ where: { ownerKey, liveSlug: read.manifest.slug } });
    if (taken)
      throw new AppError(
        "conflict",
        `A skill “${taken.name}” exists already. Add a version to it, or choose another name.`,
      );
    return storeVersion(tx, txCtx, actor, { read, ownerKey, source: "authored", state: "draft", provenance: {} });
  });
  return getSkill(ctx, skillId);
}

/** Writes the SKILL.md of a playbook. */
export function writePlaybook(input: Omit<Extract<CreateSkillInput, { body: string }>, "owner">): SkillFile {
  const frontmatter = stringify({
    name: input.name,
    description: input.description,
    ...(input.whenToUse ? { when_to_use: input.whenToUse } : {}),
    ...(input.allowedTools ? { "allowed-tools": input.allowedTools.join(" ") } : {}),
  });
  const text = `---\n${frontmatter}---\n\n${input.body.trimStart()}${input.body.endsWith("\n") ? "" : "\n"}`;
  return { path: "SKILL.md", mode: "644", bytes: new TextEncoder().encode(text) };
}
