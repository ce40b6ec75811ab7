import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { isAgentText } from "@/lib/skill-format/agent-text";
import { fillArguments } from "@/lib/skill-format/fill-arguments";
import { isScript } from "@/lib/skill-format/is-script";
import { readSkill } from "@/lib/skill-format/read-skill";
import { escapeHtml } from "@/lib/skill-format/write-available-skills";
import { readVersionFiles } from "@/lib/skills/read-version-files";
import type { SkillRow } from "@/lib/skills/skill-access";
import type { VersionRow } from "@/lib/skills/version-access";

type Pending = { skill: SkillRow; version: VersionRow };
type Playbook = { content: string; limit: string[] | null; contextFork: boolean; name: string };

/** The playbook of a version that does not serve, for somebody who may try it. Its scripts are not among its files. */
export async function readPendingPlaybook(ctx: Ctx, { skill, version }: Pending, args: string): Promise<Playbook> {
  const { manifest } = readSkill(await readVersionFiles(ctx, version), { folder: skill.slug });
  const files = version.files.filter((file) => file.path.toLowerCase() !== "skill.md" && !isScript(file));
  const content = [
    `<skill_content name="${escapeHtml(skill.name)}">`,
    fillArguments(manifest.body, args, manifest.arguments).trimEnd(),
    "",
    "<skill_resources>",
    ...files.map(({ path }) => `<file>${escapeHtml(path)}</file>`),
    "</skill_resources>",
    "</skill_content>",
    "",
    `This version ${version.state === "approved" ? "does not serve" : "is not approved"}: its playbook can be read, and nothing of it runs.`,
  ].join("\n");
  const tools = manifest.allowedTools;
  const limit = tools === null || tools.length === 0 ? null : tools;
  return { content, limit, contextFork: manifest.contextFork, name: skill.name };
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
