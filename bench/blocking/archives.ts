import { randomBytes } from "node:crypto";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { writeZipOfFolders } from "@/lib/skill-format/export/write-archive";
import { fileForm } from "../harness/call-api";
import { type BlockingCase, download, type Instance } from "./instance";

type Folder = { folder: string; files: SkillFile[] };

const FEW_SKILLS = 40;
const MANY_SKILLS = 400;
const LARGE_FILES = 4;
const LARGE_BYTES = 4_800_000;

let packed: Awaited<ReturnType<typeof packFolders>>[] = [];

const EXPORTED = 300;

let manyIds: string[] = [];
let largeId = "";

/** A playbook with these other files. */
export function skillFolder(name: string, others: { path: string; bytes: Uint8Array }[]): Folder {
  const text = `---\nname: ${name}\ndescription: Does what ${name} is for.\n---\n# ${name}\n\n${words(300, 1)}\n`;
  const files = [{ path: "SKILL.md", bytes: encode(text) }, ...others];
  return { folder: name, files: files.map((file) => ({ mode: "644", ...file })) };
}

/** Text of `chars` characters that packs to about half its size. */
export function words(chars: number, seed: number): string {
  let text = "";
  let state = seed;
  while (text.length < chars) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    text += state.toString(36) + (state % 9 === 0 ? "\n" : " ");
  }
  return text.slice(0, chars);
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Imports the folders as one ZIP; returns the ids of the skills. */
export async function importFolders({ caller }: Instance, folders: Folder[]): Promise<string[]> {
  const upload = await packFolders(folders);
  return importPacked({ caller }, upload);
}

type Packed = Awaited<ReturnType<typeof fileForm>>;

export async function packFolders(folders: Folder[]): Promise<Packed> {
  return fileForm("skills.zip", await writeZipOfFolders(folders));
}

export async function importPacked({ caller }: Pick<Instance, "caller">, packed: Packed): Promise<string[]> {
  const { status, text } = await caller.call("POST", "/api/skills/import", packed);
  if (status !== 201) throw new Error(`The import answered ${status}: ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { skills: { id: string }[] }).skills.map(({ id }) => id);
}

/** An archive of 400 skills, one of 18 MiB with 4,800 small files, and one of 18 MiB with four large ones. */
export const importCase: BlockingCase = {
  name: "import",
  prepare: async ({ quick }) => {
    const many = Array.from({ length: quick ? FEW_SKILLS : MANY_SKILLS }, (_, index) =>
      skillFolder(`many-${index}`, [
        { path: "scripts/run.py", bytes: encode(`print(${index})\n${words(2_000, index)}`) },
        { path: "reference/a.md", bytes: encode(words(3_000, index + 1)) },
        { path: "reference/b.md", bytes: encode(words(6_000, index + 2)) },
      ]),
    );
    const small = Array.from({ length: quick ? 1 : 12 }, (_, index) =>
      skillFolder(
        `small-${index}`,
        Array.from({ length: 400 }, (_file, at) => ({
          path: `data/f${at}.txt`,
          bytes: encode(words(6_000, index * 1_000 + at)),
        })),
      ),
    );
    const large = skillFolder(
      "large-files",
      Array.from({ length: quick ? 1 : LARGE_FILES }, (_, at) => ({
        path: `bin/f${at}.bin`,
        bytes: randomBytes(LARGE_BYTES),
      })),
    );
    packed = [await packFolders(many), await packFolders(small), await packFolders([large])];
  },
  run: async (instance) => {
    const counts: number[] = [];
    for (const upload of packed) counts.push((await importPacked(instance, upload)).length);
    return `archives with ${counts.join(", ")} skills`;
  },
};

/** One skill of 19 MB, and 300 skills in one file. */
export const exportCase: BlockingCase = {
  name: "export",
  prepare: async (instance) => {
    const files = Array.from({ length: 4 }, (_, at) => ({ path: `bin/f${at}.bin`, bytes: randomBytes(4_800_000) }));
    [largeId = ""] = await importFolders(instance, [skillFolder("large-files", files)]);
    manyIds = await importFolders(
      instance,
      Array.from({ length: instance.quick ? 30 : EXPORTED }, (_, index) =>
        skillFolder(`many-${index}`, [{ path: "reference.md", bytes: encode(words(6_000, index)) }]),
      ),
    );
  },
  run: async (instance) => {
    const one = await download(instance, `/api/skills/${largeId}/export?as=original`);
    const all = await download(instance, `/api/export?skills=${manyIds.join(",")}`);
    return `${one} bytes of one skill, ${all} bytes of ${manyIds.length}`;
  },
};
