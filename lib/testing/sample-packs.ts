import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { writeZip } from "@/lib/skill-format/export/write-archive";

const text = (content: string) => new TextEncoder().encode(content);

type PackOptions = {
  name?: string;
  script?: string;
  manifest?: Record<string, unknown>;
  mode?: "644" | "755";
  extra?: SkillFile[];
};

/** Files of a small runnable pack: `skill.json` and a shell script that echoes its arguments. */
export function packFiles({
  name = "echo_args",
  script = "#!/bin/sh\ncat\n",
  manifest,
  mode = "755",
  extra = [],
}: PackOptions = {}): SkillFile[] {
  const json = {
    name,
    description: "Gives back what it was given.",
    schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    entry: "run.sh",
    class: "safe",
    ...manifest,
  };
  return [
    { path: "skill.json", mode: "644", bytes: text(JSON.stringify(json, null, 2)) },
    { path: "run.sh", mode, bytes: text(script) },
    ...extra,
  ];
}

export function playbookFiles({
  name = "tidy-notes",
  description = "Tidies meeting notes.",
  body = "# Tidy\n\nDo it.\n",
  more = "",
} = {}): SkillFile[] {
  return [
    {
      path: "SKILL.md",
      mode: "644",
      bytes: text(`---\nname: ${name}\ndescription: ${description}\n${more}---\n\n${body}`),
    },
  ];
}

/** Zips files as an upload for `importSkills`. */
export async function zipUpload(folder: string, files: SkillFile[]): Promise<{ filename: string; bytes: Uint8Array }> {
  return { filename: `${folder}.zip`, bytes: await writeZip(folder, files) };
}
