import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { createPersona } from "@/lib/auth/personas";
import { authenticateBearer } from "@/lib/auth/sessions/authenticate-request";
import { createToken } from "@/lib/auth/tokens/tokens";
import { decideVersion } from "@/lib/review/decide-version";
import type { DecideVersionInput } from "@/lib/review/schema";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { writeZip } from "@/lib/skill-format/export/write-archive";
import { createSkill, updateSkill } from "@/lib/skills/edit-skills";
import { getSkill } from "@/lib/skills/get-skill";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { type Clock, later, type PersonKey, type Step, skillId, type World } from "./world";

type Decision = Omit<Parameters<typeof decide>[2], "at">;
type Options = { by: PersonKey; owner?: "me" | "org"; update?: boolean };

/** Imports skills, decides on their versions and switches them on. */
export function skillSteps({ daysAgo, minutesAgo }: Clock): Step[] {
  const importSkill = (skill: string, at: Date, { by, owner = "org", update = false }: Options): Step => ({
    at,
    run: (world) => importFolder(world, skill, { by, at, owner, update }),
  });
  const review = (skill: string, at: Date, decision: Decision): Step => ({
    at,
    run: (world) => decide(world, skill, { ...decision, at }),
  });
  const setEnabled = (skill: string, at: Date, by: PersonKey, on = true): Step => ({
    at,
    run: async (world) => void (await updateSkill(world.person(by, at), skillId(world, skill), { enabled: on })),
  });
  return [
    importSkill("csv-summary", daysAgo(13, "09:05"), { by: "mara" }),
    importSkill("commit-helper", daysAgo(13, "09:12"), { by: "mara" }),
    review("csv-summary", daysAgo(13, "10:20"), {
      by: "ben",
      comment: "Reads only its input. Tried with an empty column.",
    }),
    setEnabled("csv-summary", daysAgo(13, "10:24"), "mara"),
    review("commit-helper", daysAgo(13, "10:31"), { by: "ben", comment: "The git commands are scoped; no push." }),
    setEnabled("commit-helper", daysAgo(13, "10:32"), "mara"),
    importSkill("disk-usage-report", daysAgo(12, "08:30"), { by: "ben" }),
    importSkill("log-tail-summary", daysAgo(12, "08:34"), { by: "ben" }),
    importSkill("slow-progress", daysAgo(12, "08:40"), { by: "ben" }),
    review("disk-usage-report", daysAgo(12, "13:00"), { by: "mara" }),
    review("log-tail-summary", daysAgo(12, "13:06"), {
      by: "mara",
      comment: "Paths are absolute; reads no more than 50,000 lines.",
    }),
    review("slow-progress", daysAgo(12, "13:08"), { by: "mara" }),
    setEnabled("disk-usage-report", daysAgo(12, "13:15"), "ben"),
    setEnabled("log-tail-summary", daysAgo(12, "13:15"), "ben"),
    setEnabled("slow-progress", daysAgo(12, "13:16"), "ben"),
    importSkill("json-to-table", daysAgo(11, "09:50"), { by: "aiko", owner: "me" }),
    review("json-to-table", daysAgo(11, "09:56"), { by: "aiko", comment: "For my own use." }),
    setEnabled("json-to-table", daysAgo(11, "09:57"), "aiko"),
    importSkill("ticket-export", daysAgo(10, "11:00"), { by: "priya", owner: "me" }),
    review("ticket-export", daysAgo(10, "14:10"), { by: "mara" }),
    setEnabled("ticket-export", daysAgo(10, "14:30"), "priya"),
    importSkill("backup-age-check", daysAgo(9, "08:15"), { by: "tomas" }),
    review("backup-age-check", daysAgo(9, "09:40"), {
      by: "ben",
      grants: { env: ["BACKUP_ROOT"], timeoutSeconds: 20 },
    }),
    setEnabled("backup-age-check", daysAgo(9, "09:45"), "tomas"),
    importSkill("install-helper", daysAgo(8, "10:02"), { by: "lena", owner: "me" }),
    review("install-helper", daysAgo(8, "11:26"), {
      by: "mara",
      decision: "reject",
      comment:
        "Pipes a download into a shell, so other bytes may run than those we approve. Put the installer into the pack.",
    }),
    importSkill("tag-cleanup", daysAgo(8, "13:00"), { by: "ben" }),
    review("tag-cleanup", daysAgo(8, "15:20"), {
      by: "mara",
      comment: "Local tags only, and a dry run is the default.",
    }),
    setEnabled("tag-cleanup", daysAgo(8, "15:31"), "ben"),
    importSkill("release-notes", daysAgo(7, "09:00"), { by: "mara" }),
    review("release-notes", daysAgo(7, "12:10"), {
      by: "ben",
      class: "mutating",
      comment: "The script only reads, but it is a script.",
    }),
    { at: daysAgo(6, "09:00"), run: connectAgent },
    review("ticket-export", daysAgo(6, "14:05"), {
      by: "mara",
      decision: "revoke",
      comment: "The bundled example holds names of reporters. Remove tickets.json and import it again.",
    }),
    importSkill("incident-summary", daysAgo(4, "09:30"), { by: "priya", owner: "me" }),
    review("incident-summary", daysAgo(4, "13:50"), {
      by: "mara",
      decision: "request_changes",
      comment:
        "Bash without a pattern lets it run any command without asking. Name the commands it needs, such as Bash(journalctl:*).",
    }),
    importSkill("sql-review", daysAgo(3, "10:10"), { by: "priya", owner: "me" }),
    review("sql-review", daysAgo(3, "10:18"), { by: "mara", comment: "It reads and searches, and writes nothing." }),
    setEnabled("sql-review", daysAgo(3, "10:19"), "priya"),
    { at: daysAgo(3, "14:00"), run: describeTags },
    setEnabled("slow-progress", daysAgo(2, "15:40"), "ben", false),
    setEnabled("slow-progress", daysAgo(2, "15:52"), "ben"),
    importSkill("cache-purge", daysAgo(1, "09:10"), { by: "tomas" }),
    review("cache-purge", daysAgo(1, "13:25"), {
      by: "mara",
      comment: "The name cannot leave /var/cache. A second reviewer should check the find command.",
    }),
    importSkill("log-tail-summary", minutesAgo(190), { by: "ben", update: true }),
    importSkill("translate-docs", minutesAgo(150), { by: "aiko", owner: "me" }),
    { at: minutesAgo(95), run: draftPlaybook },
  ];
}

async function connectAgent(world: World, at: Date): Promise<void> {
  const persona = await createPersona(world.person("tomas", at), {
    name: "Assistant",
    permissionMode: "mutating-with-confirm",
    allow: ["csv_*", "json_*", "log_*", "tag_*"],
  });
  const { token } = await createToken(world.person("aiko", later(at, 300_000)), {
    name: "laptop assistant",
    scopes: ["read", "run"],
    persona: persona.id,
  });
  world.agent = await authenticateBearer(world.visitor(later(at, 360_000)), token);
}

async function describeTags(world: World, at: Date): Promise<void> {
  await updateSkill(world.person("mara", at), skillId(world, "csv-summary"), {
    tags: ["csv", "report", "tables", "recommended"],
    pinned: true,
  });
}

async function draftPlaybook(world: World, at: Date): Promise<void> {
  const draft = await createSkill(world.person("priya", at), {
    files: [{ path: "SKILL.md", text: await readFile(join(DRAFTS, "meeting-notes", "SKILL.md"), "utf8") }],
  });
  world.skillIds.set("meeting-notes", draft.id);
}

type Decided = Partial<DecideVersionInput> & { by: PersonKey; at: Date };

/** Decides on the pending version, or for `revoke` on the active one. */
export async function decide(world: World, skill: string, { by, at, ...input }: Decided): Promise<void> {
  const ctx = world.person(by, at);
  const { pendingVersion, currentVersion } = await getSkill(ctx, skillId(world, skill));
  const decision = input.decision ?? "approve";
  const version = decision === "revoke" ? currentVersion : pendingVersion;
  if (!version) throw new Error(`${skill} has no version to ${decision}.`);
  await decideVersion(ctx, skillId(world, skill), version.digest, { comment: "", ...input, decision });
}

const SKILLS = join(import.meta.dirname, "skills");
const DRAFTS = join(import.meta.dirname, "drafts");
const UPDATES = join(import.meta.dirname, "updates");

type Import = { by: PersonKey; at: Date; owner: "me" | "org"; update?: boolean };

/** Imports a folder of `skills/` as an archive; an update replaces files by those of the same folder of `updates/`. */
export async function importFolder(world: World, folder: string, { by, at, owner, update }: Import): Promise<void> {
  const files = await readFolder(join(SKILLS, folder));
  const newer = update ? await readFolder(join(UPDATES, folder)) : [];
  const replaced = new Set(newer.map((file) => file.path));
  const bytes = await writeZip(folder, [...files.filter((file) => !replaced.has(file.path)), ...newer]);
  const answer = await importSkills(world.person(by, at), { filename: `${folder}.zip`, bytes, owner });
  const [skill] = answer.skills;
  if (!skill) throw new Error(`${folder} was not imported.`);
  world.skillIds.set(folder, skill.id);
}

async function readFolder(folder: string): Promise<SkillFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.sort().map(async (path): Promise<SkillFile> => {
      const { mode } = await stat(path);
      return {
        path: relative(folder, path).replaceAll("\\", "/"),
        mode: mode & 0o100 ? "755" : "644",
        bytes: new Uint8Array(await readFile(path)),
      };
    }),
  );
}
