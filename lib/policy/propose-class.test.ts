import { expect, test } from "vitest";
import { readSkill } from "@/lib/skill-format/read-skill";
import type { SkillFile } from "@/lib/skill-format/skill-file";
import { packFiles, playbookFiles } from "@/lib/testing/sample-packs";
import { proposeClass } from "./propose-class";

const script: SkillFile = { path: "scripts/fix.py", mode: "644", bytes: new TextEncoder().encode("print(1)\n") };

function proposed(files: SkillFile[]) {
  return proposeClass(readSkill(files, { folder: "x" }).manifest, files).class;
}

test.each([
  ["a playbook of text alone is safe", playbookFiles(), "safe"],
  ["a playbook with a script is mutating", [...playbookFiles(), script], "mutating"],
  ["a playbook with hooks is mutating", playbookFiles({ more: "hooks:\n  PreToolUse: []\n" }), "mutating"],
  ["a playbook with an inline command is mutating", playbookFiles({ body: "Now: !`git status`\n" }), "mutating"],
  [
    "an exclamation mark before code in prose is not an inline command",
    playbookFiles({ body: "Careful!`x`\n" }),
    "safe",
  ],
  ["a pack is what it declares", packFiles({ manifest: { class: "dangerous" } }), "dangerous"],
  ["a pack may declare it in the older words", packFiles({ manifest: { class: "destructive" } }), "dangerous"],
  [
    "a capability that writes is mutating",
    playbookFiles({ more: "required_capabilities: [filesystem:write]\n" }),
    "mutating",
  ],
  ["the shell is dangerous", playbookFiles({ more: "required_capabilities: [shell:execute]\n" }), "dangerous"],
  ["so is what nobody knows", playbookFiles({ more: "required_capabilities: [no:such]\n" }), "dangerous"],
  ["reading is safe", playbookFiles({ more: "required_capabilities: [network:fetch]\n" }), "safe"],
  [
    "a capability of the host counts too",
    playbookFiles({ more: "metadata: {gsv: {requires: {capabilities: [shell.exec]}}}\n" }),
    "dangerous",
  ],
  [
    "what is declared is not less than the capabilities need",
    playbookFiles({ more: "class: safe\nrequired_capabilities: [filesystem:write]\n" }),
    "mutating",
  ],
  ["a pack that declares nothing counts as safe", packFiles({ manifest: { class: undefined } }), "safe"],
])("%s", (_title, files, expected) => {
  expect(proposed(files)).toBe(expected);
});
