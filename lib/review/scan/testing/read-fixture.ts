import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";

/** Lines of text, or hexadecimal bytes, by path. */
const Fixture = z.record(z.string(), z.union([z.array(z.string()), z.object({ hex: z.string() })]));
export type Fixture = z.infer<typeof Fixture>;

const RuleFixtures = z.object({ positive: z.array(Fixture), negative: z.array(Fixture) });
const Samples = z.record(z.string(), Fixture);

const FOLDER = new URL("../../rules/fixtures/", import.meta.url);
const FRONTMATTER = ["---", "name: sample", "description: A sample skill.", "---"];

/** Reads the examples that a rule must and must not report, one folder per family. */
export function readRuleFixtures(id: string): z.infer<typeof RuleFixtures> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" });
  return RuleFixtures.parse(readJson(files.find((file) => file.endsWith(`/${id.toLowerCase()}.json`)) ?? id));
}

export function readSamples(file: "malicious.json" | "ordinary.json"): z.infer<typeof Samples> {
  return Samples.parse(readJson(file));
}

/** The files of a fixture. A SKILL.md without frontmatter gets a plain one. */
export function filesOf(fixture: Fixture): SkillFile[] {
  return Object.entries(fixture).map(([path, content]) => {
    if (!Array.isArray(content)) return { path, mode: "644", bytes: new Uint8Array(Buffer.from(content.hex, "hex")) };
    const bare = path === "SKILL.md" && content[0] !== "---" && content[0] !== "No frontmatter here.";
    const lines = bare ? [...FRONTMATTER, ...content] : content;
    return { path, mode: "644", bytes: new TextEncoder().encode(`${lines.join("\n")}\n`) };
  });
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(fileURLToPath(new URL(file, FOLDER)), "utf8"));
}
