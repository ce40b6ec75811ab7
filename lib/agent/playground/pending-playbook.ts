import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { fillArguments } from "@/lib/skill-format/fill-arguments";
import { isAgentFile } from "@/lib/skill-format/is-agent-file";
import { readSkill } from "@/lib/skill-format/read-skill";
import { readVersionFiles } from "@/lib/skills/read-version-files";
import type { SkillRow } from "@/lib/skills/skill-access";
import type { VersionRow } from "@/lib/skills/version-access";
import { splitReadPath } from "../read-path";
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
  const files = version.files.filter(
    (file) => file.path.toLowerCase() !== "skill.md" && isAgentFile(file, { mayScripts: false }),
  );
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
  const files = await readVersionFiles(ctx, version);
  const split = splitReadPath(path);
  const isStored = files.some((candidate) => candidate.path === path);
  const inside = !isStored && [skill.slug, skill.name].includes(split.name) ? split.inside : path;
  const file = files.find((candidate) => candidate.path === inside);
  if (!file) throw new AppError("not_found", `“${skill.name}” has no file “${path.slice(0, 200)}”.`);
  const stored = version.files.find((candidate) => candidate.path === inside);
  if (stored === undefined || !isAgentFile(stored, { mayScripts: false })) {
    throw new AppError(
      "forbidden",
      `${inside} is a script or no text; only the playbook of what does not serve is read.`,
    );
  }
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file.bytes);
}
