import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Hex } from "../lib/core/hash";
import { Grants } from "../lib/policy/grants/schema";
import { settleGrants, whyNotGrant } from "../lib/policy/grants/settle-grants";
import { digestFiles } from "../lib/skill-format/archive/skill-file";
import { readSkill } from "../lib/skill-format/manifest/read-skill";
import { describeBuiltin } from "../lib/worker/builtins/kit/describe-builtin";
import { buildBuiltins } from "./build-builtins.mjs";
import { root } from "./root.mjs";

const sourceNames = readdirSync(path.join(root, "lib/worker/builtins"))
  .filter((file) => /^[a-z0-9_]+\.ts$/.test(file))
  .map((file) => file.slice(0, -3))
  .sort();
const CLASSES = {
  ...{ edit_file: "mutating", restart_service: "mutating", write_file: "mutating", run_command: "dangerous" },
};
const ON_HOSTS = /^(probe_|host_|tail_file$|read_journal$|restart_service$)/;

let folder;
let built;
const warnings = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "skillgate-builtins-"));
  built = await buildBuiltins({ into: path.join(folder, "one"), log: (line) => warnings.push(line) });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifest = () => JSON.parse(readFileSync(path.join(built, "manifest.json"), "utf8"));

function filesOf(name) {
  return ["main.mjs", "skill.json"].map((file) => {
    const at = path.join(built, name, file);
    const mode = statSync(at).mode & 0o111 ? "755" : "644";
    return { path: file, mode, bytes: new Uint8Array(readFileSync(at)) };
  });
}

it("builds every file of the folder, and nothing else", () => {
  expect(manifest().builtins.map(({ name }) => name)).toEqual(sourceNames);
  expect(readdirSync(built).sort()).toEqual([...sourceNames, "manifest.json"].sort());
  expect(warnings).toEqual([]);
});

describe.each(sourceNames)("%s", (name) => {
  it("is a pack that the reader has nothing to say against, with described arguments", () => {
    const { manifest: read, diagnostics } = readSkill(filesOf(name), { folder: name });
    expect(diagnostics).toEqual([]);
    expect(read).toMatchObject({ name, toolName: name, entry: "main.mjs", kind: "pack" });
    expect(read.description.length).toBeGreaterThan(30);
    expect(read.resultPreview?.length).toBeGreaterThan(20);
    expect(read.schema).toMatchObject({ type: "object", additionalProperties: false });
    for (const property of Object.values(read.schema?.properties ?? {})) {
      expect(property.description.length).toBeGreaterThan(5);
      expect(property.default === undefined || !(read.schema?.required ?? []).includes(property)).toBe(true);
    }
  });

  it("has class, scope and grants that can be given, and the digest of its bytes", () => {
    const entry = manifest().builtins.find((one) => one.name === name);
    expect(entry.class).toBe(CLASSES[name] ?? "safe");
    expect(entry.scope).toBe(ON_HOSTS.test(name) ? "host" : "manager");
    const { manifest: read } = readSkill(filesOf(name), { folder: name });
    const grants = settleGrants(read, Grants.parse(entry.grants));
    expect(whyNotGrant(entry.class, grants)).toBeNull();
    const files = filesOf(name).map(({ bytes, ...file }) => ({ ...file, sha256: sha256Hex(bytes) }));
    expect(entry.digest).toBe(digestFiles(files));
  });

  it("is one small readable program that names no place of this machine", () => {
    const text = readFileSync(path.join(built, name, "main.mjs"), "utf8");
    expect(text.startsWith("#!/skillgate/node\n")).toBe(true);
    expect(text.length).toBeLessThan(32 * 1024);
    expect(text).not.toContain(root);
    expect(text).not.toContain("zod");
  });
});

it("gives the same bytes when it is built again, elsewhere", async () => {
  const again = await buildBuiltins({ into: path.join(folder, "two") });
  expect(readFileSync(path.join(again, "manifest.json"), "utf8")).toBe(
    readFileSync(path.join(built, "manifest.json"), "utf8"),
  );
  expect(existsSync(path.join(again, "describe.mjs"))).toBe(false);
});

it("takes a missing class for safe and says so, and keeps a raw schema to the letter", () => {
  const schema = { type: "object", properties: { x: { oneOf: [{ type: "string" }, { type: "null" }] } }, title: "T" };
  const raw = { name: "raw", label: "Raw", description: "d", category: "c", schema, resultPreview: "r" };
  const described = describeBuiltin("raw", raw);
  expect(described).toMatchObject({ class: "safe", scope: "host", declaresClass: false, skillJson: { schema } });
  expect(described.skillJson).not.toHaveProperty("class");
  const files = [
    { path: "main.mjs", mode: "755", bytes: new TextEncoder().encode("#!/skillgate/node\n") },
    { path: "skill.json", mode: "644", bytes: new TextEncoder().encode(JSON.stringify(described.skillJson)) },
  ];
  expect(readSkill(files, { folder: "raw" }).diagnostics.map(({ code }) => code)).toEqual(["class_missing"]);
  expect(() => describeBuiltin("other", raw)).toThrow("calls itself raw");
});
