import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SkillManifest } from "@/lib/skill-format/schema";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { readSkill } from "./read-skill";

const full = {
  name: "disk_cleaner",
  description: "Frees disk space.",
  schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  entry: "run.sh",
  env_allow: ["PATH", "HOME"],
  timeout_seconds: 60,
  class: "mutating",
  category: "ops",
};
const read = (json: unknown, others: Record<string, string> = {}) => {
  const text = typeof json === "string" ? json : JSON.stringify(json);
  const files = skillFiles({ "skill.json": text, "run.sh*": "#!/bin/sh", ...others });
  const { manifest, diagnostics } = readSkill(files, { folder: "disk" });
  const errors = diagnostics.filter((item) => item.severity === "error").map((item) => item.code);
  return { manifest, diagnostics, errors, codes: diagnostics.map((item) => item.code) };
};

it("reads a complete pack", () => {
  const { manifest, codes } = read(full);
  expect(codes).toEqual([]);
  expect(manifest).toMatchObject({
    ...{ kind: "pack", name: "disk_cleaner", slug: "disk-cleaner", toolName: "disk_cleaner", scope: "manager" },
    ...{ description: "Frees disk space.", schema: full.schema, entry: "run.sh", envAllow: ["PATH", "HOME"] },
    ...{ timeoutSeconds: 60, declaredClass: "mutating", category: "ops", body: "" },
  });
});

it("keeps a name that begins with a digit or an underscore for models as it is", () => {
  expect(read({ ...full, name: "_3d" }).manifest).toMatchObject({ toolName: "_3d", slug: "3d" });
});

it("reads the optional fields and a byte order mark", () => {
  const more = { label: "L", version: "1.0", author: "Ada", tags: ["a"], requires: { bins: ["du"] }, depends: ["x"] };
  const { manifest, codes } = read(`\ufeff${JSON.stringify({ ...full, ...more, result_preview: "freed" })}`);
  expect(codes).toEqual([]);
  expect(manifest).toMatchObject({ ...more, resultPreview: "freed" });
});

it("fills in an empty schema, the default category and no class, with a warning for the class", () => {
  const { manifest, codes } = read({ name: "a", description: "b", entry: "run.sh" });
  expect(codes).toEqual(["class_missing"]);
  expect(manifest).toMatchObject({ schema: { type: "object", properties: {} }, category: "external" });
  expect(manifest).toMatchObject({ declaredClass: null, envAllow: [], timeoutSeconds: null });
});

it.each([0, -1])("takes a timeout of %d for the default", (timeout_seconds) => {
  expect(read({ ...full, timeout_seconds }).manifest.timeoutSeconds).toBeNull();
});

it("keeps unknown fields in meta with a diagnostic", () => {
  const { manifest, diagnostics } = read({ ...full, extra: { a: 1 } });
  expect(manifest.meta).toEqual({ extra: { a: 1 } });
  expect(diagnostics).toMatchObject([{ code: "field_unknown", severity: "info", path: "skill.json" }]);
});

it("does not let a pack choose its scope", () => {
  const { manifest, codes } = read({ ...full, scope: "host" }, { "SKILL.md": "---\nscope: host\n---\nx" });
  expect(manifest.scope).toBe("manager");
  expect(codes).toContain("scope_ignored");
});

describe("an unusable pack", () => {
  it.each([
    [{ ...full, name: undefined }, "name_missing"],
    [{ ...full, name: "" }, "name_missing"],
    [{ ...full, name: "disk-cleaner" }, "name_invalid"],
    [{ ...full, name: "Disk" }, "name_invalid"],
    [{ ...full, description: " " }, "description_missing"],
    [{ ...full, entry: "" }, "entry_missing"],
    [{ ...full, entry: "missing.sh" }, "entry_missing"],
    [{ ...full, entry: "../../../bin/sh" }, "entry_outside"],
    [{ ...full, entry: "/bin/sh" }, "entry_outside"],
    [{ ...full, entry: "..\\run.sh" }, "entry_outside"],
    [{ ...full, entry: "bin" }, "entry_is_directory"],
    [{ ...full, entry: "bin/" }, "entry_is_directory"],
    [{ ...full, entry: "plain.sh" }, "entry_not_executable"],
    [{ ...full, class: "harmless" }, "class_invalid"],
    [{ ...full, class: ["safe"] }, "class_invalid"],
    [{ ...full, schema: "object" }, "schema_invalid"],
    [{ ...full, schema: { $ref: "https://example.com/x" } }, "schema_invalid"],
    [{ ...full, schema: { type: "objekt" } }, "schema_invalid"],
    [{ ...full, schema: { properties: { path: { type: "string", required: true } } } }, "schema_invalid"],
  ])("is reported: %j", (json, code) => {
    const { errors } = read(json, { "plain.sh": "#!", "bin/x*": "#!" });
    expect(errors).toEqual([code]);
  });

  it.each([
    ["{", 1, "json_invalid"],
    ['{\n  "name": "a",\n}', 3, "json_invalid"],
    ["[]", 1, "json_invalid"],
    ['{"name": "a", "name": "b"}', 1, "json_invalid"],
  ])("is reported with a line: %j", (text, line, code) => {
    const { manifest, diagnostics } = read(text);
    expect(diagnostics[0]).toMatchObject({ code, severity: "error", line });
    expect(manifest).toMatchObject({ kind: "pack", name: "disk", entry: null });
  });

  it("is reported when it is not UTF-8 or too large", () => {
    const pack = (bytes: Uint8Array) => readSkill(skillFiles({ "skill.json": bytes }), { folder: "x" }).diagnostics[0];
    expect(pack(new Uint8Array([0xff]))).toMatchObject({ code: "not_utf8", severity: "error" });
    expect(pack(new Uint8Array(300_000).fill(32))).toMatchObject({ code: "json_too_large", severity: "error" });
  });
});

it.each(["run.sh", "./run.sh"])("finds the entry %s", (entry) => {
  expect(read({ ...full, entry }).manifest.entry).toBe("run.sh");
});

it("accepts an entry whose name begins with two dots", () => {
  expect(read({ ...full, entry: "..foo" }, { "..foo*": "#!" }).errors).toEqual([]);
});

it("drops environment variables that are secrets or run code, with a warning for each", () => {
  const denied = ["SKILLGATE_SECRET", "nextauth_secret", "DATABASE_URL", "LD_PRELOAD", "NODE_OPTIONS", "BASH_ENV"];
  const { manifest, codes } = read({
    ...full,
    env_allow: ["PATH", "PATH", "1X", "A=B", "", ...denied, "ENV", "PYTHONPATH"],
  });
  expect(manifest.envAllow).toEqual(["PATH"]);
  expect(codes).toEqual([...Array(2).fill("env_invalid"), ...Array(8).fill("env_denied")]);
});

it("prefers skill.json and fills the rest from SKILL.md", () => {
  const block =
    "name: Disk Cleaner\ndescription: other\nclass: safe\ncategory: c\nlicense: MIT\nwhen_to_use: full disk\nx: 1";
  const { manifest, codes } = read(full, { "SKILL.md": `---\n${block}\n---\n# How\n` });
  expect(codes).toEqual(["field_unknown"]);
  expect(manifest).toMatchObject({ name: "disk_cleaner", description: "Frees disk space.", declaredClass: "mutating" });
  expect(manifest).toMatchObject({
    category: "ops",
    license: "MIT",
    whenToUse: "full disk",
    body: "# How\n",
    meta: { x: 1 },
  });
});

it("keeps prototype keys out of the manifest", () => {
  const { manifest, codes } = read(
    '{"name":"a","description":"b","entry":"run.sh","x":{"__proto__":{"isAdmin":true}}}',
  );
  expect(manifest.meta).toEqual({ x: {} });
  expect(codes).toContain("key_dropped");
});

it("never throws and always returns a manifest, for any JSON", () => {
  const keys = [...Object.keys(full), "tags", "requires", "label", "scope", "__proto__"];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()), (json) => {
      const { manifest } = read(json);
      expect(SkillManifest.parse(manifest)).toEqual(manifest);
    }),
    { numRuns: 300 },
  );
});

describe("a skill.json that is not a pack's", () => {
  const md = { "SKILL.md": "---\nname: Lead Inbox\ndescription: Sorts the inbox.\n---\n# How\n" };

  it.each([
    ["another program's", '{"name":"lead-inbox-automator"}'],
    ["with a description too", '{"name":"lead-inbox","description":"d","version":"1.0.0","main":"index.js"}'],
    ["no object", "[]"],
    ["no JSON", '{"name": "a",}'],
    ["not UTF-8", new Uint8Array([0xff])],
    ["too large", new Uint8Array(300_000).fill(32)],
  ])("leaves the definition to SKILL.md, with a note: %s", (_how, json) => {
    const files = skillFiles({ "skill.json": json, ...md });
    const { manifest, diagnostics } = readSkill(files, { folder: "x" });
    expect(manifest).toMatchObject({ kind: "playbook", name: "Lead Inbox", toolName: "lead_inbox", entry: null });
    expect(diagnostics).toMatchObject([{ code: "skill_json_foreign", severity: "info", path: "skill.json" }]);
  });

  it("is a warning when it has an entry, because it was meant as a pack", () => {
    const { manifest, diagnostics } = read({ name: "disk", entry: "run.sh" }, md);
    expect(manifest).toMatchObject({ kind: "playbook", name: "Lead Inbox", entry: null });
    expect(diagnostics).toMatchObject([{ code: "skill_json_foreign", severity: "warning", path: "skill.json" }]);
    expect(diagnostics[0]?.message).toContain("“description”");
  });

  it.each([
    ["a wrong type", { ...full, entry: 7 }, "entry_missing"],
    ["a wrong name", { ...full, name: "Disk Cleaner" }, "name_invalid"],
    ["an empty description", { ...full, description: "" }, "description_missing"],
    ["a mistake in its JSON", `${JSON.stringify(full).slice(0, -1)},}`, "json_invalid"],
  ])("is a pack once it has the required keys, with errors for the rest: %s", (_how, json, code) => {
    const { manifest, errors } = read(json, md);
    expect(manifest.kind).toBe("pack");
    expect(errors).toContain(code);
  });

  it("reports errors when no other file makes the folder a skill", () => {
    expect(read({ name: "disk" }).errors).toEqual(["description_missing", "entry_missing"]);
  });

  it("leaves the definition to skill.toml too", () => {
    const toml = '[skill]\nname = "steps"\ndescription = "d"\n[[skill.steps]]\ntool_name = "a"\n';
    const files = skillFiles({ "skill.json": '{"name":"x"}', "skill.toml": toml });
    expect(readSkill(files, { folder: "x" }).manifest).toMatchObject({ kind: "pipeline", name: "steps" });
  });
});
