import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { isAgentText } from "@/lib/skill-format/agent-text";
import { fillArguments } from "@/lib/skill-format/fill-arguments";
import { isScript } from "@/lib/skill-format/is-script";
import { readSkill } from "@/lib/skill-format/read-skill";
import { readVersionFiles } from "@/lib/skills/read-version-files";
import type { SkillRow } from "@/lib/skills/skill-access";
import type { VersionRow } from "@/lib/skills/version-access";
import { writeSkillContent } from "../use-skill";

type Pending = { skill: SkillRow; version: VersionRow };
type Playbook = {
  content: string;
  /** Why nothing of it runs. */
  note: string;
  limit: string[] | null;
  contextFork: boolean;
  name: string;
};

/** The playbook of a version that does not serve, for somebody who may try it. Its scripts are not among its files. */
export async function readPendingPlaybook(ctx: Ctx, { skill, version }: Pending, args: string): Promise<Playbook> {
  const { manifest } = readSkill(await readVersionFiles(ctx, version), { folder: skill.slug });
  const files = version.files.filter((file) => file.path.toLowerCase() !== "skill.md" && !isScript(file));
  const content = writeSkillContent({
    name: skill.name,
    instructions: fillArguments(manifest.body, args, manifest.arguments),
    resources: files.map(({ path }) => path),
  });
  const state = version.state === "approved" ? "does not serve" : "is not approved";
  const note = `This version ${state}: its playbook can be read, and nothing of it runs.`;
  const tools = manifest.allowedTools;
  const limit = tools === null || tools.length === 0 ? null : tools;
  return { content, note, limit, contextFork: manifest.contextFork, name: skill.name };
}

/** One text file of it, at most 256 KiB, and no script. */
export async function readPendingFile(ctx: Ctx, { skill, version }: Pending, path: string): Promise<string> {
  const inside = path.startsWith(`${skill.slug}/`) ? path.slice(skill.slug.length + 1) : path;
  const file = (await readVersionFiles(ctx, version)).find((candidate) => candidate.path === inside);
  if (!file) throw new AppError("not_found", `“${skill.name}” has no file “${path.slice(0, 200)}”.`);
  const stored = version.files.find((candidate) => candidate.path === inside);
  if ((stored && isScript(stored)) || !isAgentText(file.bytes)) {
    throw new AppError(
      "forbidden",
      `${inside} is a script or no text; only the playbook of what does not serve is read.`,
    );
  }
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file.bytes);
}
