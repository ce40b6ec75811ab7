import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { readArchive } from "@/lib/skill-format/archive/read-archive";
import { digestFiles, type SkillFile } from "@/lib/skill-format/archive/skill-file";
import { splitSkills } from "@/lib/skill-format/archive/split-skills";
import { parseFrontmatter } from "@/lib/skill-format/frontmatter/parse-frontmatter";
import { isFailure, parseYamlBlock } from "@/lib/skill-format/frontmatter/parse-yaml-block";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { validateStrict } from "@/lib/skill-format/manifest/validate-strict";
import { arbitrarySkill } from "@/lib/skill-format/testing/arbitrary-skill";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { writeZip } from "./write-archive";
import { writeSpec } from "./write-spec";
import { writeYaml } from "./write-yaml";

const exportSpec = (files: SkillFile[]) => {
  const { manifest } = readSkill(files, { folder: "some-folder" });
  const written = writeSpec(files, manifest);
  const text = new TextDecoder().decode(written.files[0]?.bytes);
  return { ...written, manifest, text, codes: written.losses.map((loss) => loss.code) };
};
const md = (block: string, body = "# Body\n") => exportSpec(skillFiles({ "SKILL.md": `---\n${block}\n---\n${body}` }));
const basic = "name: tide-tables\ndescription: Looks up tides.";

describe("the standard form", () => {
  it("has only the specification's fields", () => {
    const { text, losses } = md(
      `${basic}\nlicense: MIT\ncompatibility: Needs curl\nallowed_tools: [Bash(git add:*), Read]\ncontext_fork: true\nmetadata: {author: Ada}`,
    );
    expect(text).toBe(
      `---\nname: tide-tables\ndescription: Looks up tides.\nlicense: MIT\ncompatibility: Needs curl\ncontext: fork\nmetadata:\n  author: Ada\nallowed-tools: "Bash(git add:*) Read"\n---\n# Body\n`.replace(
        'metadata:\n  author: Ada\nallowed-tools: "Bash(git add:*) Read"\n',
        'allowed-tools: "Bash(git add:*) Read"\nmetadata:\n  author: Ada\n',
      ),
    );
    expect(losses).toMatchObject([{ code: "spec_context", severity: "info", path: "SKILL.md" }]);
  });

  it("keeps an unreadable list of tools unreadable", () => {
    const { text, codes } = md(`${basic}\nallowed-tools: {Bash: true}`);
    expect(text).toContain(`allowed-tools: "(none)"\n`);
    expect(codes).toEqual([]);
  });

  it("moves other fields to metadata and lists them", () => {
    const { text, losses } = md(
      `${basic}\nversion: 1.10\nwhen_to_use: When asked.\ntags: [sea, "a, b"]\nx-own: {a: [1]}`,
    );
    expect(parseFrontmatter(text, "SKILL.md").mapping?.values.metadata).toEqual({
      "x-own": '{"a":[1]}',
      when_to_use: "When asked.",
      version: "1.10",
      tags: '["sea","a, b"]',
      "skillgate-moved": "x-own:json when_to_use version tags:json",
    });
    expect(losses.map(({ code, severity }) => [code, severity])).toEqual([
      ["spec_moved", "info"],
      ["spec_moved", "warning"],
      ["spec_moved", "info"],
      ["spec_moved", "info"],
    ]);
  });

  it("gives other agents a name, a description and a compatibility that they accept", () => {
    const long = "x".repeat(1_500);
    const { text, codes, files } = md(`name: My Tides\ndescription: ${long}\ncompatibility: ${"y".repeat(600)}`);
    expect(codes).toEqual(["spec_name", "spec_description", "spec_compatibility"]);
    expect(text).toMatch(/^---\nname: my-tides\n/);
    expect(validateStrict("my-tides", files).filter((item) => item.severity === "error")).toEqual([]);
    expect(readSkill(files, { folder: "x" }).manifest).toMatchObject({ name: "My Tides", description: long });
  });

  it("does not grant tools that were hidden from other agents", () => {
    const { text, manifest } = md(`${basic}\ntools: [Bash, Read]`);
    expect(manifest.allowedTools).toEqual(["Bash", "Read"]);
    expect(text).not.toContain("allowed-tools");
  });

  it("reports what other agents do not run", () => {
    const json = JSON.stringify({ name: "tide_tables", description: "d", entry: "run.sh", class: "safe" });
    const { codes, files, manifest } = exportSpec(skillFiles({ "skill.json": json, "run.sh*": "#!/bin/sh\n" }));
    expect(codes).toEqual(["spec_name", "spec_not_run"].filter((code) => codes.includes(code)));
    expect(codes).toContain("spec_not_run");
    expect(files.map((file) => file.path)).toEqual(["SKILL.md", "skill.json", "run.sh"]);
    expect(readSkill(files, { folder: "x" }).manifest).toEqual(manifest);
  });

  it("renames skill.md and keeps other files", () => {
    const files = skillFiles({
      "skill.md": `---\n${basic}\n---\n`,
      "a/b.bin": new Uint8Array([0, 255]),
      "run.sh*": "x",
    });
    const written = exportSpec(files);
    expect(written.codes).toEqual(["spec_renamed"]);
    expect(written.files.slice(1)).toEqual(files.slice(1));
  });

  it("keeps a list of tools that a text would split", () => {
    const { codes, files, manifest } = md(`${basic}\nallowed-tools: ["Azure MCP/docs", Read]`);
    expect(codes).toEqual(["spec_allowed_tools"]);
    expect(readSkill(files, { folder: "x" }).manifest).toEqual(manifest);
  });
});

describe("moved fields", () => {
  const read = (block: string) => readSkill(skillFiles({ "SKILL.md": `---\n${block}\n---\n` }), { folder: "x" });

  it("never change what other agents read at the top level", () => {
    const { manifest } = read(
      'name: harmless\ndescription: Short.\nallowed-tools: Read\nmetadata:\n  n: Evil\n  d: Other text.\n  t: Bash\n  skillgate-moved: "n=name d=description t=allowed-tools"',
    );
    expect(manifest).toMatchObject({ name: "harmless", description: "Short.", allowedTools: ["Read"] });
  });

  it.each(["nothing", "a=b=c", "%ZZ", "x:json", "=", ":json", "__proto__", "a=__proto__", "  "])(
    "may be listed wrongly: %j",
    (list) => {
      const { manifest } = read(`${basic}\nmetadata: {a: "1", x: "{", skillgate-moved: ${JSON.stringify(list)}}`);
      expect(manifest.name).toBe("tide-tables");
      expect(Object.getPrototypeOf(manifest.meta)).toBe(Object.prototype);
    },
  );
});

it("writes YAML that is read back as it was", () => {
  const values = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 20 }).filter((key) => !/^(__proto__|constructor|prototype)$/.test(key)),
    fc.jsonValue({ maxDepth: 3 }),
    { maxKeys: 6 },
  );
  const dangerous = /"(__proto__|constructor|prototype)"|-0|e[+-]/;
  fc.assert(
    fc.property(values, (generated) => {
      const plain: Record<string, unknown> = JSON.parse(JSON.stringify(generated));
      fc.pre(!dangerous.test(JSON.stringify(plain)));
      const read = parseYamlBlock(writeYaml(plain));
      if (isFailure(read)) throw new Error(`${read.message}\n${writeYaml(plain)}`);
      expect(read.values).toEqual(plain);
    }),
    { numRuns: 300 },
  );
});

describe("export and import again", () => {
  it("gives an equal skill from the standard form, for every skill", () => {
    fc.assert(
      fc.property(arbitrarySkill, (files) => {
        const { files: written, losses, manifest } = exportSpec(files);
        const again = readSkill(written, { folder: "another-folder" });
        // Only reported losses may differ.
        if (losses.some((loss) => loss.code === "spec_differs")) return;
        expect(again.manifest).toEqual(manifest);
      }),
      { numRuns: 400 },
    );
  });

  it("is almost empty", () => {
    const differing = fc.sample(arbitrarySkill, { numRuns: 300, seed: 7 }).flatMap((files) => {
      const difference = exportSpec(files).losses.find((loss) => loss.code === "spec_differs");
      return difference === undefined ? [] : [difference.message];
    });
    expect(differing).toEqual([]);
  });

  it("gives an equal skill from the standard form, for every known shape", () => {
    const folder = fileURLToPath(new URL("../fixtures/shapes/", import.meta.url));
    for (const name of readdirSync(folder)) {
      const bytes = new Uint8Array(readFileSync(folder + name));
      const { files, manifest } = exportSpec([{ path: "SKILL.md", mode: "644", bytes }]);
      expect(readSkill(files, { folder: "another-folder" }).manifest, name).toEqual(manifest);
    }
  });

  it("gives equal bytes from the original", async () => {
    const digest = (files: SkillFile[]) =>
      digestFiles(files.map(({ path, mode, bytes }) => ({ path, mode, sha256: sha256Hex(bytes) })));
    await fc.assert(
      fc.asyncProperty(arbitrarySkill, async (files) => {
        const zip = await writeZip("skill", files);
        expect(await writeZip("skill", [...files].reverse())).toEqual(zip);
        const archive = await readArchive({ bytes: zip, filename: "skill.zip" });
        const { skills } = splitSkills(archive.files, { fallbackName: "x" });
        expect(skills.map((skill) => [skill.folder, digest(skill.files)])).toEqual([["skill", digest(files)]]);
      }),
      { numRuns: 50 },
    );
  });
});
