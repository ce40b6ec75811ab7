import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { createPersona } from "@/lib/auth/personas";
import { authenticateBearer } from "@/lib/auth/sessions/authenticate-request";
import { createToken } from "@/lib/auth/tokens/tokens";
import { decideVersion } from "@/lib/review/decide-version";
import type { DecideVersionInput } from "@/lib/review/schema";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { writeZip } from "@/lib/skill-format/export/write-archive";
import { createSkill } from "@/lib/skills/create-skill";
import { getSkill } from "@/lib/skills/get-skill";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { updateSkill } from "@/lib/skills/update-skill";
import { type Clock, later, type PersonKey, type Step, skillId, type World } from "./world";

type Decision = Omit<Parameters<typeof decide>[2], "at">;
type Options = { by: PersonKey; owner?: "me" | "org"; update?: boolean };

/** Which skills came in, who decided what about them, and which are switched on. */
export function skillStory({ daysAgo, minutesAgo }: Clock): Step[] {
  const bring = (skill: string, at: Date, { by, owner = "org", update = false }: Options): Step => ({
    at,
    tell: (world) => importFolder(world, skill, { by, at, owner, update }),
  });
  const judge = (skill: string, at: Date, decision: Decision): Step => ({
    at,
    tell: (world) => decide(world, skill, { ...decision, at }),
  });
  const turn = (skill: string, at: Date, by: PersonKey, on = true): Step => ({
    at,
    tell: async (world) => void (await updateSkill(world.person(by, at), skillId(world, skill), { enabled: on })),
  });
  return [
    bring("csv-summary", daysAgo(13, "09:05"), { by: "mara" }),
    bring("commit-helper", daysAgo(13, "09:12"), { by: "mara" }),
    judge("csv-summary", daysAgo(13, "10:20"), {
      by: "ben",
      comment: "Reads only what it is given. Tried with an empty column.",
    }),
    turn("csv-summary", daysAgo(13, "10:24"), "mara"),
    judge("commit-helper", daysAgo(13, "10:31"), { by: "ben", comment: "The git commands are scoped; no push." }),
    turn("commit-helper", daysAgo(13, "10:32"), "mara"),
    bring("disk-usage-report", daysAgo(12, "08:30"), { by: "ben" }),
    bring("log-tail-summary", daysAgo(12, "08:34"), { by: "ben" }),
    bring("slow-progress", daysAgo(12, "08:40"), { by: "ben" }),
    judge("disk-usage-report", daysAgo(12, "13:00"), { by: "mara" }),
    judge("log-tail-summary", daysAgo(12, "13:06"), {
      by: "mara",
      comment: "Paths are absolute; reads no more than 50,000 lines.",
    }),
    judge("slow-progress", daysAgo(12, "13:08"), { by: "mara" }),
    turn("disk-usage-report", daysAgo(12, "13:15"), "ben"),
    turn("log-tail-summary", daysAgo(12, "13:15"), "ben"),
    turn("slow-progress", daysAgo(12, "13:16"), "ben"),
    bring("json-to-table", daysAgo(11, "09:50"), { by: "aiko", owner: "me" }),
    judge("json-to-table", daysAgo(11, "09:56"), { by: "aiko", comment: "For my own use." }),
    turn("json-to-table", daysAgo(11, "09:57"), "aiko"),
    bring("ticket-export", daysAgo(10, "11:00"), { by: "priya", owner: "me" }),
    judge("ticket-export", daysAgo(10, "14:10"), { by: "mara" }),
    turn("ticket-export", daysAgo(10, "14:30"), "priya"),
    bring("backup-age-check", daysAgo(9, "08:15"), { by: "tomas" }),
    judge("backup-age-check", daysAgo(9, "09:40"), { by: "ben", grants: { env: ["BACKUP_ROOT"], timeoutSeconds: 20 } }),
    turn("backup-age-check", daysAgo(9, "09:45"), "tomas"),
    bring("install-helper", daysAgo(8, "10:02"), { by: "lena", owner: "me" }),
    judge("install-helper", daysAgo(8, "11:26"), {
      by: "mara",
      decision: "reject",
      comment:
        "Pipes a download into a shell: what runs is not what we would approve. Put the installer into the pack.",
    }),
    bring("tag-cleanup", daysAgo(8, "13:00"), { by: "ben" }),
    judge("tag-cleanup", daysAgo(8, "15:20"), {
      by: "mara",
      comment: "Local tags only, and a dry run is the default.",
    }),
    turn("tag-cleanup", daysAgo(8, "15:31"), "ben"),
    bring("release-notes", daysAgo(7, "09:00"), { by: "mara" }),
    judge("release-notes", daysAgo(7, "12:10"), {
      by: "ben",
      class: "mutating",
      comment: "The script only reads, but it is a script.",
    }),
    { at: daysAgo(6, "09:00"), tell: connectAgent },
    judge("ticket-export", daysAgo(6, "14:05"), {
      by: "mara",
      decision: "revoke",
      comment: "The bundled example holds names of reporters. Remove tickets.json and import it again.",
    }),
    bring("incident-summary", daysAgo(4, "09:30"), { by: "priya", owner: "me" }),
    judge("incident-summary", daysAgo(4, "13:50"), {
      by: "mara",
      decision: "request_changes",
      comment:
        "Bash without a pattern lets it run any command without asking. Name the ones it needs, such as Bash(journalctl:*).",
    }),
    bring("sql-review", daysAgo(3, "10:10"), { by: "priya", owner: "me" }),
    judge("sql-review", daysAgo(3, "10:18"), { by: "mara", comment: "It reads and searches, and writes nothing." }),
    turn("sql-review", daysAgo(3, "10:19"), "priya"),
    { at: daysAgo(3, "14:00"), tell: describeTags },
    turn("slow-progress", daysAgo(2, "15:40"), "ben", false),
    turn("slow-progress", daysAgo(2, "15:52"), "ben"),
    bring("cache-purge", daysAgo(1, "09:10"), { by: "tomas" }),
    judge("cache-purge", daysAgo(1, "13:25"), {
      by: "mara",
      comment: "The name cannot leave /var/cache. Needs a second pair of eyes on the find command.",
    }),
    bring("log-tail-summary", minutesAgo(190), { by: "ben", update: true }),
    bring("translate-docs", minutesAgo(150), { by: "aiko", owner: "me" }),
    { at: minutesAgo(95), tell: draftPlaybook },
  ];
}

async function connectAgent(world: World, at: Date): Promise<void> {
  const persona = await createPersona(world.person("tomas", at), {
    name: "Assistant",
    permissionMode: "mutating-with-confirm",
    allow: ["csv_*", "json_*", "log_*"],
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
    name: "meeting-notes",
    description: "Turns rough notes of a meeting into decisions, tasks and open questions.",
    whenToUse: "After a meeting, when notes were pasted.",
    allowedTools: ["Read", "Write"],
    body: "# Meeting notes\n\nWrite three lists: what was decided, who does what by when, and what is still open.\n\nLeave out who said what.\n",
  });
  world.skillIds.set("meeting-notes", draft.id);
}

type Decided = Partial<DecideVersionInput> & { by: PersonKey; at: Date };

/** Decides on the version that waits, or for `revoke` on the one that serves. */
export async function decide(world: World, skill: string, { by, at, ...input }: Decided): Promise<void> {
  const ctx = world.person(by, at);
  const { pendingVersion, currentVersion } = await getSkill(ctx, skillId(world, skill));
  const decision = input.decision ?? "approve";
  const version = decision === "revoke" ? currentVersion : pendingVersion;
  if (!version) throw new Error(`${skill} has no version to ${decision}.`);
  await decideVersion(ctx, skillId(world, skill), version.digest, { comment: "", ...input, decision });
}

const SKILLS = join(import.meta.dirname, "skills");
const UPDATES = join(import.meta.dirname, "updates");

type Import = { by: PersonKey; at: Date; owner: "me" | "org"; update?: boolean };

/** Imports a folder of `skills/` as an archive, for an update with the files of the same folder of `updates/` over it. */
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
