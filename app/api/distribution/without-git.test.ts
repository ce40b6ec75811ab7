import { expect, test, vi } from "vitest";
import { playbookFiles } from "@/lib/testing/sample-packs";
import * as git from "./git/[scope]/[...path]/route";
import * as marketplace from "./marketplace/[scope]/route";
import { distributionWorld } from "./testing/distribution-world";

vi.mock("@/lib/core/find-program", () => ({ findProgram: () => null }));

const { ask, person, publish, readIndex } = await distributionWorld([
  ["/api/distribution/git/[scope]/[...path]", git],
  ["/api/distribution/marketplace/[scope]", marketplace],
]);

test("without git its two endpoints answer 503, and the others work", async () => {
  await publish(await person(), { name: "pdf", files: playbookFiles({ name: "pdf" }) });
  for (const path of ["/git/catalog.git/info/refs?service=git-upload-pack", "/marketplace.json"]) {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get("retry-after")], path).toEqual([503, "300"]);
    expect(await answer.text()).toContain("git is not installed");
  }
  expect((await readIndex()).skills.map(({ name }) => name)).toEqual(["pdf"]);
  expect((await ask("/api/search?q=pdf")).status).toBe(200);
});
