import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { updateSettings } from "@/lib/settings/update-settings";
import { digestFiles, type SkillFile } from "@/lib/skill-format/archive/skill-file";
import { arbitrarySkill } from "@/lib/skill-format/testing/arbitrary-skill";
import { buildTar } from "@/lib/skill-format/testing/build-tar";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { getAdvice } from "@/lib/skills/versions/get-advice";
import { getVersion } from "@/lib/skills/versions/get-version";
import { zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { exportSkill } from "./export-skills";
import { importSkills, previewImport } from "./import-skills";
import { readUpload, type Upload } from "./read-upload";

const { person } = await testDatabase();
const admin = await person("admin");
await updateSettings(admin.ctx, { importsPerHour: 100_000 });

type Ctx = Parameters<typeof importSkills>[0];
type Form = "original" | "spec";

/**
 * Returns the only skill of an upload with its newest version; null when the upload is refused, which is not a fault of the
 * export.
 */
async function importOne(ctx: Ctx, upload: Upload) {
  const answer = await importSkills(ctx, { ...upload, owner: "me" }).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  const skill = answer?.skills[0];
  if (answer === null || skill === undefined) return null;
  const digest = skill.pendingVersion?.digest ?? skill.currentVersion?.digest ?? "";
  return { skill, digest, version: await getVersion(ctx, skill.id, digest) };
}

function digestOf(files: SkillFile[]): string {
  return digestFiles(files.map(({ path, mode, bytes }) => ({ path, mode, sha256: sha256Hex(bytes) })));
}

async function importFirst(files: SkillFile[]) {
  const { ctx } = await person();
  const first = await importOne(ctx, await zipUpload("the-folder", files));
  return first === null ? null : { ctx, first };
}

async function importAgain({ ctx, first }: NonNullable<Awaited<ReturnType<typeof importFirst>>>, as: Form) {
  const to = await person();
  const again = await importOne(to.ctx, await exportSkill(ctx, first.skill.id, { as }));
  if (again === null) throw new Error(`The export of ${first.skill.name} cannot be imported.`);
  return again;
}

async function exportAndImport(files: SkillFile[], as: Form) {
  const start = await importFirst(files);
  if (start === null) return null;
  const again = await importAgain(start, as);
  const { specLosses } = await getAdvice(start.ctx, start.first.skill.id, start.first.digest);
  return { first: start.first, again, specLosses };
}

test("import, export(original) and import again have equal digests, for generated skills", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(arbitrarySkill, async (files) => {
      const both = await exportAndImport(files, "original");
      if (both === null) return;
      compared += 1;
      expect(both.again.digest).toBe(both.first.digest);
    }),
    { numRuns: 25 },
  );
  expect(compared).toBeGreaterThan(8);
}, 60_000);

test("import, export(spec) and import again have equal manifests, for generated skills", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(arbitrarySkill, async (files) => {
      const both = await exportAndImport(files, "spec");
      if (both === null || both.specLosses.some((loss) => loss.code === "spec_differs")) return;
      compared += 1;
      expect(both.again.version.manifest).toEqual(both.first.version.manifest);
    }),
    { numRuns: 25 },
  );
  expect(compared).toBeGreaterThan(8);
}, 60_000);

test("both hold for every shape found in the wild that can be imported, for what its export is read as", async () => {
  const folder = fileURLToPath(new URL("../../skill-format/fixtures/shapes/", import.meta.url));
  let compared = 0;
  for (const name of readdirSync(folder)) {
    const files: SkillFile[] = [{ path: "SKILL.md", mode: "644", bytes: new Uint8Array(readFileSync(folder + name)) }];
    files.push(...skillFiles({ "scripts/run.sh*": "#!/bin/sh\n" }));
    const start = await importFirst(files);
    if (start === null) continue;
    compared += 1;
    // Reads the export as an import does; the tests of generated skills prove that an import stores what was read.
    const read = async (as: Form) => {
      const { usable } = await readUpload(await exportSkill(start.ctx, start.first.skill.id, { as }));
      return usable[0] ?? { files: [], manifest: null };
    };
    expect(digestOf((await read("original")).files), name).toBe(start.first.digest);
    expect((await read("spec")).manifest, name).toEqual(start.first.version.manifest);
  }
  expect(compared).toBeGreaterThan(100);
}, 240_000);

test("a link that leads out of its skill is left out, and the version of the skill says so", async () => {
  const { ctx } = await person();
  const tar = await buildTar([
    { name: "tides/SKILL.md", data: "---\nname: tides\ndescription: Looks up tides.\n---\n# Tides\n" },
    { name: "tides/secret", type: "symlink", linkname: "/etc/passwd" },
  ]);
  const upload = { filename: "tides.tar.gz", bytes: tar, owner: "me" as const };
  const preview = await previewImport(ctx, upload);
  const refused = { code: "link_refused", severity: "warning", path: "secret" };
  expect(preview.skills[0]?.diagnostics).toContainEqual(expect.objectContaining(refused));
  const imported = await importOne(ctx, upload);
  expect(imported?.version.files.map((file) => file.path)).toEqual(["SKILL.md"]);
  expect(imported?.version.diagnostics).toContainEqual(expect.objectContaining(refused));
});

test("skills of one name in one upload are shown with their places", async () => {
  const { ctx } = await person();
  const md = (text: string) => `---\nname: tides\ndescription: ${text}\n---\n`;
  const files = skillFiles({ "a/x/SKILL.md": md("Looks up tides."), "b/x/skill.md": md("Tells the tides.") });
  const upload = { ...(await zipUpload("many", files)), owner: "me" as const };
  const { skills, diagnostics } = await previewImport(ctx, upload);
  expect(skills.map((skill) => skill.effect).sort()).toEqual(["new", "refused"]);
  const shown = diagnostics.find((diagnostic) => diagnostic.code === "names_collide");
  expect(shown?.message).toMatch(/a\/x, .*b\/x/);
});
