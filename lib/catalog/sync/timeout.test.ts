import { expect, test } from "vitest";
import { skillMd, testCatalog } from "../testing/test-catalog";

const { github, source, sync } = await testCatalog({ timeoutMs: 500 });

test("a GitHub that never answers ends the sync with that reason, after three tries", async () => {
  const { id } = await source({ "a/SKILL.md": skillMd("a") });
  github.fail("repository", { silence: true }, 3);
  expect(await sync(id)).toMatchObject({ state: "failed", errorCode: "timeout", requests: 3 });
  github.fail("raw", { silence: true }, 3);
  expect(await sync(id)).toMatchObject({ state: "failed", errorCode: "timeout", rawReads: 3 });
});
