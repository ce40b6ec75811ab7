import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeLease } from "../testing/make-lease";
import { makeWorkDir } from "../testing/make-work-dir";
import { shareSkill } from "./place-skill";

function world() {
  const { lease, blobs } = makeLease("echo.sh");
  const skillsDir = makeWorkDir();
  let loaded = 0;
  const load = async (file: { sha256: string }) => {
    loaded += 1;
    return blobs.get(file.sha256) ?? Buffer.from("other bytes");
  };
  return { lease, skillsDir, share: () => shareSkill(lease, skillsDir, load), loaded: () => loaded };
}

describe("shareSkill", () => {
  it("places a version once, read-only, for any number of runs", async () => {
    const { lease, skillsDir, share, loaded } = world();
    const dirs = await Promise.all([share(), share(), share()]);
    expect(new Set(dirs)).toEqual(new Set([join(skillsDir, lease.versionDigest)]));
    const before = loaded();
    await share();
    expect(loaded()).toBe(before);
    expect(readdirSync(skillsDir)).toEqual([lease.versionDigest]);
    expect(statSync(join(dirs[0] as string, "echo.sh")).mode & 0o777).toBe(0o555);
  });

  it.each([
    ["a byte", (dir: string) => writeFileSync(join(dir, "echo.sh"), "#!/bin/sh\necho '\"other\"'\n")],
    ["a mode", (dir: string) => chmodSync(join(dir, "echo.sh"), 0o444)],
    ["a file more", (dir: string) => writeFileSync(join(dir, "more"), "")],
  ])("refuses what was changed by %s, once", async (_what, change) => {
    const { lease, share } = world();
    const dir = await share();
    const original = readFileSync(join(dir, "echo.sh"), "utf8");
    for (const path of [dir, join(dir, "echo.sh")]) chmodSync(path, 0o755);
    change(dir);
    await expect(share()).rejects.toMatchObject({ code: "digest_mismatch" });
    expect(await share()).toBe(join(dir, "..", lease.versionDigest));
    expect(readFileSync(join(dir, "echo.sh"), "utf8")).toBe(original);
  });

  it("keeps nothing of a version whose bytes are not the approved ones", async () => {
    const { lease, skillsDir } = world();
    const wrong = shareSkill(lease, skillsDir, async () => Buffer.from("wrong"));
    await expect(wrong).rejects.toMatchObject({ code: "digest_mismatch" });
    expect(readdirSync(skillsDir)).toEqual([]);
  });
});
