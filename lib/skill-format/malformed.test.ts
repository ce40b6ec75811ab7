import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/core/errors";
import { safePath } from "./archive/archive-entry";
import { readArchive } from "./archive/read-archive";
import { splitSkills } from "./archive/split-skills";
import { writeSpec } from "./export/write-spec";
import { checkQuality } from "./manifest/check-quality";
import { readSkill } from "./manifest/read-skill";
import { validateStrict } from "./manifest/validate-strict";
import { SkillManifest } from "./schema";
import { buildTar } from "./testing/build-tar";
import { buildZip } from "./testing/build-zip";
import { createRandom, type Random } from "./testing/seeded-random";
import { skillFiles } from "./testing/skill-files";

/** 2,000 inputs in all; the seed is the number of the case, so that a failure names its input. */
const YAML = 700;
const MARKDOWN = 500;
const ZIP = 400;
const TAR = 400;

const BLOCK = `name: tide-tables
description: "Looks up tides: use when asked"
allowed-tools: [Bash(git add:*), Read]
metadata:
  openclaw: {"requires": {"bins": ["curl"], "env": [KEY]}, "install": [{"kind": "brew"}]}
tags:
  - sea
  - ports
hooks:
  Stop: [{hooks: [{type: command, command: "x"}]}]
version: 1.10`;
const TOKENS = [
  ...["---", "\n", "\n---\n", ":", ": ", "- ", "{", "}", "[", "]", '"', "'", "|", ">", "&a ", "*a", "!!js ", "#", " #"],
  ...[
    "\t",
    "\r",
    "\r\n",
    "\0",
    "\u2028",
    "\ufeff",
    "\ud800",
    "%",
    "@",
    "`",
    "\\",
    "__proto__: ",
    "<<: *a",
    "? ",
    "...",
    "~~~",
  ],
  ...[
    "```",
    "<!--",
    "-->",
    "## ",
    "name: ",
    "description: ",
    "skillgate-moved: ",
    "metadata: ",
    "](",
    "![",
    "é",
    "🐙",
    "  ",
  ],
];

function mutate(text: string, random: Random): string {
  let result = text;
  for (let count = 1 + random.below(8); count > 0; count -= 1) {
    const at = random.below(result.length + 1);
    const token = TOKENS[random.below(TOKENS.length)] ?? "";
    const length = random.below(20);
    const choice = random.below(5);
    if (choice === 0) result = result.slice(0, at) + token + result.slice(at);
    else if (choice === 1) result = result.slice(0, at) + result.slice(at + length);
    else if (choice === 2) result = result.slice(0, at) + token.repeat(1 + random.below(300)) + result.slice(at);
    else if (choice === 3)
      result = result.slice(0, at) + result.slice(random.below(result.length + 1)).slice(0, 400) + result.slice(at);
    else
      result = result
        .split("\n")
        .sort(() => random.below(3) - 1)
        .join("\n");
  }
  return result;
}

function damage(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = Buffer.from(bytes);
  for (let count = 1 + random.below(6); count > 0; count -= 1) copy[random.below(copy.length)] = random.below(256);
  const choice = random.below(6);
  if (choice === 0) return new Uint8Array(copy.subarray(0, random.below(copy.length)));
  if (choice === 1) return new Uint8Array(Buffer.concat([copy, copy.subarray(random.below(copy.length))]));
  return new Uint8Array(copy);
}

/** Applies every operation on a skill's files. */
function exerciseSkill(text: string): void {
  const files = skillFiles({ "SKILL.md": text });
  const { manifest, diagnostics } = readSkill(files, { folder: "folder" });
  expect(SkillManifest.parse(manifest)).toEqual(manifest);
  for (const { code, line, message } of diagnostics) {
    expect(code).toMatch(/^[a-z0-9_]+$/);
    expect(message).not.toBe("");
    if (line !== undefined) expect(line).toBeGreaterThanOrEqual(1);
  }
  const { losses, files: written } = writeSpec(files, manifest);
  if (!losses.some((loss) => loss.code === "spec_differs")) {
    // Executables depend on the spelling of fields, which the standard form changes.
    const again = readSkill(written, { folder: "other" }).manifest;
    expect({ ...again, carries: manifest.carries }).toEqual(manifest);
  }
  checkQuality(files, manifest);
  validateStrict("folder", files);
}

async function exerciseArchive(bytes: Uint8Array, filename: string): Promise<void> {
  try {
    const { files } = await readArchive({ bytes, filename });
    for (const file of files) expect(safePath(file.path)).toBe(file.path);
    for (const skill of splitSkills(files, { fallbackName: "x" }).skills) readSkill(skill.files, skill);
  } catch (error) {
    // A damaged archive must be refused with a reason.
    expect(error).toBeInstanceOf(AppError);
  }
}

const seeds = (count: number, from: number) => Array.from({ length: count }, (_, index) => from + index);
const BATCH = 100;
const batches = (count: number, from: number) =>
  seeds(Math.ceil(count / BATCH), 0).map((index) => from + index * BATCH);

describe("2,000 malformed inputs are read or refused, without other exceptions", () => {
  it.each(batches(YAML, 0))("frontmatter, from seed %i", (from) => {
    for (const seed of seeds(BATCH, from)) exerciseSkill(`---\n${mutate(BLOCK, createRandom(seed))}\n---\n# Body\n`);
  });

  it.each(batches(MARKDOWN, 10_000))("whole files, from seed %i", (from) => {
    const file = `---\n${BLOCK}\n---\n# Tides\n\nSee [ports](references/ports.md).\n\n---\n\n\`\`\`sh\nls\n\`\`\`\n`;
    for (const seed of seeds(BATCH, from)) exerciseSkill(mutate(file, createRandom(seed)));
  });

  it.each(batches(ZIP, 20_000))("ZIP archives, from seed %i", async (from) => {
    for (const seed of seeds(BATCH, from)) {
      const random = createRandom(seed);
      const entries = [
        { name: "skill/SKILL.md", data: `---\n${BLOCK}\n---\n`, method: random.below(2) * 8 },
        { name: mutate("skill/references/ports.md", random), data: "x".repeat(random.below(2_000)) },
        { name: "skill/link", data: mutate("SKILL.md", random), mode: 0o120777 },
      ];
      await exerciseArchive(damage(buildZip(entries), random), "skill.zip");
    }
  });

  it.each(batches(TAR, 30_000))("tar archives, from seed %i", async (from) => {
    for (const seed of seeds(BATCH, from)) {
      const random = createRandom(seed);
      const tar = await buildTar([
        { name: "skill/SKILL.md", data: `---\n${BLOCK}\n---\n` },
        { name: `skill/${"long-".repeat(random.below(30))}x`, data: "x".repeat(random.below(2_000)) },
        { name: "skill/link", type: "symlink", linkname: "SKILL.md" },
      ]);
      const packed =
        random.below(2) === 0 ? damage(tar, random) : gzipSync(damage(gunzipSync(tar), random), { level: 1 });
      await exerciseArchive(new Uint8Array(packed), "skill.tar.gz");
    }
  });
});
