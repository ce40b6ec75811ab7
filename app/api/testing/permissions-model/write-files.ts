import { writeZip } from "@/lib/skill-format/export/write-archive";
import type { Asks, ModelFile, ModelSkill } from "./ledger";

/** The files of a small skill of one kind with these requests; the same input gives the same bytes. */
export function writeFiles(kind: ModelSkill["kind"], name: string, asks: Asks, steps: string[]): ModelFile[] {
  if (kind === "pack") return packFiles(name, asks);
  return kind === "pipeline" ? pipelineFiles(name, steps) : playbookFiles(name, asks);
}

function packFiles(name: string, asks: Asks): ModelFile[] {
  const json = {
    ...{ name, description: "Answers with what it got.", schema: { type: "object" }, entry: "run.sh" },
    ...(asks.class === null ? {} : { class: asks.class }),
    ...(asks.env.length === 0 ? {} : { env_allow: asks.env }),
    ...(asks.timeoutSeconds === null ? {} : { timeout_seconds: asks.timeoutSeconds }),
  };
  return [
    { path: "run.sh", mode: "755", text: `#!/bin/sh\n# ${name} ${JSON.stringify(asks)}\ncat\n` },
    { path: "skill.json", mode: "644", text: JSON.stringify(json) },
  ];
}

function playbookFiles(name: string, asks: Asks): ModelFile[] {
  const lines = [
    ...[`name: ${name}`, "description: Says how."],
    ...(asks.class === null ? [] : [`class: ${asks.class}`]),
    ...(asks.allowedTools.length === 0 ? [] : [`allowed-tools: ${asks.allowedTools.join(", ")}`]),
  ];
  return [
    { path: "SKILL.md", mode: "644", text: `---\n${lines.join("\n")}\n---\n\n# ${name}\n\n${JSON.stringify(asks)}\n` },
    { path: "scripts/do.sh", mode: "755", text: `#!/bin/sh\n# ${name}\ncat\n` },
  ];
}

function pipelineFiles(name: string, steps: string[]): ModelFile[] {
  const calls = steps.map((step) => `[[skill.steps]]\nskill_name = "${step}"\narguments_template = '''{}'''\n`);
  const head = `[skill]\nname = "${name}"\ndescription = "One after the other."\n`;
  return [{ path: "skill.toml", mode: "644", text: `${head}${calls.join("")}` }];
}

/** The upload for an import. */
export async function uploadOf(name: string, files: ModelFile[]): Promise<FormData> {
  const bytes = await writeZip(
    name,
    files.map(({ path, mode, text }) => ({ path, mode, bytes: new TextEncoder().encode(text) })),
  );
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(bytes)]), `${name}.zip`);
  return form;
}
