import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "playwright/test";
import { apiOf, shellPack } from "../fixtures/api";
import { problemsOf } from "../fixtures/problems-of";
import { adminPage } from "../fixtures/signed-in";
import { type App, startApp } from "../fixtures/start-app";

let app: App;
const folder = mkdtempSync(join(tmpdir(), "skillgate-ssh-e2e-"));
test.beforeAll(async () => {
  app = await startApp();
});
test.afterAll(async () => {
  await app.stop();
  app.remove();
  rmSync(folder, { recursive: true });
});

function sshKeygen(args: string[], input?: string | Buffer): string {
  const { status, stdout, stderr } = spawnSync("ssh-keygen", args, { cwd: folder, input, encoding: "utf8" });
  expect([status, stderr.replace(/^Signing data on standard input\n/, "")]).toEqual([0, ""]);
  return stdout;
}

test("a reviewer registers a key, signs an approval, and the signature verifies without the server", async ({
  browser,
}) => {
  sshKeygen(["-q", "-t", "ed25519", "-N", "", "-f", "key"]);
  const page = await adminPage(browser, app);
  await page.goto("/settings");
  await page.getByRole("button", { name: "Add SSH key" }).click();
  const form = page.getByRole("dialog", { name: "Add SSH key" });
  const id = /printf %s (\S+) \|/.exec((await form.locator("code").textContent()) ?? "")?.[1] ?? "";
  await form.getByLabel("Name").fill("Laptop");
  await form.getByLabel("Signature").fill("ssh-ed25519 AAAA");
  await form.getByRole("button", { name: "Add key" }).click();
  await expect(form.getByText("it is not an armoured SSH signature", { exact: false })).toBeVisible();
  await form.getByLabel("Signature").fill(sshKeygen(["-Y", "sign", "-n", "skillgate-key", "-f", "key"], id));
  await form.getByRole("button", { name: "Add key" }).click();
  await expect(page.getByText(sshKeygen(["-l", "-f", "key.pub"]).split(" ")[1] ?? "")).toBeVisible();
  expect(await problemsOf(page, { everyRule: true })).toEqual([]);

  const pack = shellPack("signed_pack", "#!/bin/sh\necho '{}'\n");
  const skill = await apiOf(app).installPack("signed_pack", pack);
  await page.goto(`/reviews/${skill.id}/${skill.pendingVersion.digest}`);
  await page.getByRole("button", { name: "Add your signature" }).click();
  const dialog = page.getByRole("dialog", { name: "Add your signature" });
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("link", { name: "Download the bytes to sign" }).click();
  const bytes = readFileSync(await (await downloading).path());
  expect(bytes.toString()).toMatch(/^DSSEv1 28 application\/vnd.in-toto\+json \d+ \{/);
  const signature = sshKeygen(["-Y", "sign", "-n", "skillgate-approval", "-f", "key"], bytes);
  await dialog.getByLabel("Signature").fill(signature);
  await dialog.getByRole("button", { name: "Add signature" }).click();
  await expect(page.getByText("signed the approval with an SSH key", { exact: false })).toBeVisible();
  await expect(page.getByRole("button", { name: "Add your signature" })).toHaveCount(0);
  expect(await problemsOf(page, { everyRule: true })).toEqual([]);

  const address = `/api/skills/${skill.id}/versions/${skill.pendingVersion.digest}/attestation`;
  const answers = { attestation: address, signatures: `${address}/ssh-signatures` };
  const api = apiOf(app);
  for (const [name, path] of Object.entries({ ...answers, keys: "/.well-known/skillgate-attestation-keys" })) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(await api.json("GET", path)));
  }
  writeFileSync(join(folder, "allowed_signers"), `admin@example.test ${readFileSync(join(folder, "key.pub"), "utf8")}`);
  const [attestation, ...files] = ["attestation.json", "keys.json", "signatures.json", "allowed_signers"].map((name) =>
    join(folder, name),
  );
  const options = ["--keys", "--signatures", "--signers"].flatMap((option, index) => [option, files[index] ?? ""]);
  mkdirSync(join(folder, "pack"));
  for (const { path, text, executable } of pack)
    writeFileSync(join(folder, "pack", path), text, { mode: executable ? 0o755 : 0o644 });
  const verify = () =>
    spawnSync(
      "npm",
      ["run", "--silent", "verify-approval", "--", attestation ?? "", ...options, "--files", join(folder, "pack")],
      { encoding: "utf8" },
    );
  const verified = verify();
  expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining("admin@example.test signed with ")]);
  chmodSync(join(folder, "pack", "run.sh"), 0o644);
  const changed = verify();
  expect([changed.status, changed.stderr]).toEqual([1, expect.stringContaining("executable")]);
});
