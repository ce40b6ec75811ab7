import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { writeZip } from "@/lib/skill-format/export/write-zip";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import type { PersonKey } from "./people";
import type { World } from "./world";

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
