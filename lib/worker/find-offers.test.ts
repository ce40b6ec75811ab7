import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { findOffers } from "./main";
import { makeWorkDir } from "./testing/make-work-dir";

it("names programs of every folder on the PATH, and variables that a run could be given, never a value", async () => {
  const [first, second] = [join(makeWorkDir(), "first"), join(makeWorkDir(), "second")];
  for (const [folder, names] of [
    [first, ["jq", "odd name"]],
    [second, ["jq", "rg"]],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    for (const name of names) writeFileSync(join(folder, name), "");
  }
  const PATH = [first, join(first, "absent"), "", second].join(delimiter);
  const env = {
    PATH,
    MAIL_HOST: "mail.example.test",
    LD_PRELOAD: "x",
    SKILLGATE_WORKER_TOKEN: "sgw_secret",
    UNSET: undefined,
  };
  expect(await findOffers(env)).toEqual({ bins: ["jq", "rg"], env: ["MAIL_HOST", "PATH"] });
});
