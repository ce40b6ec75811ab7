import { expect, test } from "vitest";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { previewScanned } from "./preview-scanned";

const { person, database } = await testDatabase();
const owner = await person("user");
const HIDDEN = "Tidy the notes.\u{E0049}\u{E0067}\u{E006E}\u{E006F}\u{E0072}\u{E0065}\n";
const counts = async () => [await database.reader.version.count(), await database.reader.versionScan.count()];

test("a preview has class, reason, licence and findings of each skill, and stores nothing", async () => {
  const files = playbookFiles({ name: "hidden", more: "license: MIT\nallowed-tools: Bash, Read\n", body: HIDDEN });
  const upload = { ...(await zipUpload("hidden", files)), owner: "me" as const };
  const before = await counts();
  const { skills } = await previewScanned(owner.ctx, upload);
  expect(skills).toMatchObject([
    {
      name: "hidden",
      class: null,
      proposedClass: "mutating",
      proposedClassReason: "not declared; its allowed-tools let agents use Bash without asking",
      license: "MIT",
      scan: "complete",
      moreFindings: 0,
      effect: "new",
    },
  ]);
  expect(skills[0]?.findings).toContainEqual({
    ...{ rule: "HID-001", severity: "critical", path: "SKILL.md", line: expect.any(Number), why: expect.any(String) },
  });
  expect(await counts()).toEqual(before);
});

test("after its time a preview still lists every skill, and says which are not scanned", async () => {
  const upload = { ...(await zipUpload("echo", packFiles())), owner: "me" as const };
  const { skills } = await previewScanned(owner.ctx, upload, AbortSignal.abort());
  expect(skills).toMatchObject([{ scan: "pending", findings: [], proposedClass: "safe", effect: "new" }]);
});
