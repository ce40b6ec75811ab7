import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { writeZipOfFolders } from "@/lib/skill-format/export/write-archive";
import { fileForm } from "../harness/call-api";
import type { Instance } from "./instance";

type Folder = { folder: string; files: SkillFile[] };

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
