import { stringify } from "yaml";
import type { EditorFile } from "./editor-file";

export type TemplateName = "playbook" | "pack" | "pipeline";

export const TEMPLATES: { name: TemplateName; label: string; help: string }[] = [
  { name: "playbook", label: "Playbook", help: "Instructions that an agent follows." },
  { name: "pack", label: "Program", help: "A program with a form for its arguments." },
  { name: "pipeline", label: "Pipeline", help: "Steps that call tools and other skills." },
];

export function templateFiles(name: TemplateName): EditorFile[] {
  return FILES[name].map(({ path, mode, text }) => ({ path, mode, content: { kind: "text", text } }));
}

export function isTemplate(files: readonly EditorFile[]): boolean {
  const text = JSON.stringify(files);
  return TEMPLATES.some(({ name }) => JSON.stringify(templateFiles(name)) === text);
}

export function playbookText({ name, description, body }: { name: string; description: string; body: string }): string {
  return `---\n${stringify({ name, description }, { lineWidth: 0 })}---\n\n${body}`;
}

const BODY = "# Title\n\nWhat an agent should do, step by step.\n\n1. First.\n2. Then.\n";
const text = (path: string, content: string, mode: "644" | "755" = "644") => ({ path, mode, text: content });

const PACK = `{
  "name": "",
  "description": "",
  "class": "safe",
  "entry": "run.sh",
  "schema": {
    "type": "object",
    "properties": {
      "text": { "type": "string", "title": "Text" }
    },
    "required": ["text"]
  }
}
`;
const SCRIPT = `#!/bin/sh
# Reads its arguments as JSON on stdin and prints its result as JSON on stdout.
read -r args
printf '{"received": %s}\\n' "$args"
`;
const PIPELINE = `[skill]
name = ""
description = ""

[[skill.steps]]
skill_name = ""
arguments_template = "{}"
output_key = "result"
`;

const FILES: Record<TemplateName, { path: string; mode: "644" | "755"; text: string }[]> = {
  playbook: [text("SKILL.md", playbookText({ name: "", description: "", body: BODY }))],
  pack: [text("skill.json", PACK), text("run.sh", SCRIPT, "755")],
  pipeline: [text("skill.toml", PIPELINE)],
};
