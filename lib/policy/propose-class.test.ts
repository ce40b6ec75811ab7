import { expect, test } from "vitest";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { packFiles, playbookFiles } from "@/lib/testing/sample-packs";
import { classOfCapabilities, classOfTerm, proposeClass } from "./propose-class";

const script: SkillFile = { path: "scripts/fix.py", mode: "644", bytes: new TextEncoder().encode("print(1)\n") };

const hooks: SkillFile = { path: "hooks/hooks.json", mode: "644", bytes: new TextEncoder().encode("{}") };
const setup: SkillFile = { path: "setup", mode: "644", bytes: new TextEncoder().encode("#!/bin/sh\n") };

const SHELL_OF_HOST = "metadata: {gsv: {requires: {capabilities: [shell.exec]}}}\n";
const asks = (capability: string) => ({ requires: { capabilities: [capability] } });

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
  ["hooks of a plugin are mutating", [...playbookFiles(), hooks], "mutating"],
  ["so is a script by its first line", [...playbookFiles(), setup], "mutating"],
  ["so are hooks in another letter case", playbookFiles({ more: "Hooks:\n  Stop: x\n" }), "mutating"],
  ["so are hooks that are merged in", playbookFiles({ more: "<<: {hooks: {Stop: x}}\n" }), "mutating"],
  ["so are they where the author says safe", [...playbookFiles({ more: "class: safe\n" }), hooks], "mutating"],
  ["and those of a pack", [...packFiles(), hooks], "mutating"],
  ["a script of a pack is what it is for", [...packFiles(), setup], "safe"],
  ["a pack is what it declares", packFiles({ manifest: { class: "dangerous" } }), "dangerous"],
  ["a pack may declare it in the older words", packFiles({ manifest: { class: "destructive" } }), "dangerous"],
  ["what a playbook asks of an agent’s host is not its class", playbookFiles({ more: SHELL_OF_HOST }), "safe"],
  ["nor is what it says that it uses", playbookFiles({ more: "required_capabilities: [shell:execute]\n" }), "safe"],
  [
    "a text that tells an agent to use the shell is safe",
    playbookFiles({ body: "```bash\ngh pr list\n```\n" }),
    "safe",
  ],
  [
    "what comes with a script counts what it asks for",
    [...playbookFiles({ more: SHELL_OF_HOST }), script],
    "dangerous",
  ],
  ["a shell without asking is mutating", playbookFiles({ more: 'allowed-tools: "Bash(git add:*)"\n' }), "mutating"],
  ["so is writing, in another agent’s words", playbookFiles({ more: "allowed-tools: str_replace\n" }), "mutating"],
  ["so is every tool", playbookFiles({ more: 'allowed-tools: "*"\n' }), "mutating"],
  ["reading without asking is safe", playbookFiles({ more: "allowed-tools: Read, Grep, WebFetch\n" }), "safe"],
  ["a capability of a pack that writes is mutating", packFiles({ manifest: asks("filesystem.write") }), "mutating"],
  ["the shell of a pack is dangerous", packFiles({ manifest: asks("shell.exec") }), "dangerous"],
  ["so is an unknown capability", packFiles({ manifest: asks("no.such") }), "dangerous"],
  ["reading is safe", packFiles({ manifest: asks("filesystem.read") }), "safe"],
  ["a pack that declares nothing counts as safe", packFiles({ manifest: { class: undefined } }), "safe"],
])("%s", (_title, files, expected) => {
  expect(proposed(files)).toBe(expected);
});

test.each([
  ["safe", "safe"],
  ["read", "safe"],
  ["Write", "mutating"],
  ["destructive", "dangerous"],
  ["filesystem.edit", "mutating"],
  ["shell.exec", "dangerous"],
  ["shell:execute", "dangerous"],
  ["constructor", null],
  ["", null],
])("the word “%s” means %s", (word, expected) => {
  expect(classOfTerm(word)).toBe(expected);
});

test("capabilities need the highest class among them, and an unknown one the highest there is", () => {
  expect(classOfCapabilities([])).toBe("safe");
  expect(classOfCapabilities(["filesystem.read", "text.search"])).toBe("safe");
  expect(classOfCapabilities(["filesystem.read", "filesystem.write"])).toBe("mutating");
  expect(classOfCapabilities(["filesystem.read", "filesystem.raed"])).toBe("dangerous");
});
