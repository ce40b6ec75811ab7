import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeWorkDir } from "../testing/make-work-dir";
import { coversBelow, findHidden, hiddenOf } from "./hidden-places";

it("finds what is hidden also where the folder it lies in was mounted a second time", () => {
  const dir = makeWorkDir();
  for (const name of ["disk/data", "again/data", "part", "other/data"]) mkdirSync(join(dir, name), { recursive: true });
  const table = [
    "21 1 8:1 / / rw - ext4 /dev/a rw",
    `22 21 8:2 / ${dir}/disk rw - ext4 /dev/b rw`,
    `23 21 8:2 / ${dir}/again rw - ext4 /dev/b rw`,
    `24 21 8:2 /data/keys ${dir}/part rw - ext4 /dev/b rw`,
    `25 21 8:3 / ${dir}/other rw - ext4 /dev/c rw`,
  ].join("\n");
  const found = findHidden([join(dir, "disk", "data")], table).map(({ path }) => path);
  expect(found.filter((path) => path.startsWith(dir)).sort()).toEqual(
    ["again/data", "disk/data", "part"].map((name) => join(dir, name)),
  );
});

it("covers a folder that the user of a run may not enter in place of what lies in it", () => {
  const dir = makeWorkDir();
  mkdirSync(join(dir, "shut", "data"), { recursive: true, mode: 0o700 });
  mkdirSync(join(dir, "open", "data"), { recursive: true, mode: 0o755 });
  writeFileSync(join(dir, "token"), "");
  const hidden = [
    { path: join(dir, "shut", "data"), isFolder: true },
    { path: join(dir, "open", "data"), isFolder: true },
    { path: join(dir, "token"), isFolder: false },
    { path: "/elsewhere", isFolder: true },
  ];
  const covers = (uid: number | null) => coversBelow([{ path: "/seen", real: dir, mode: "ro" }], hidden, uid);
  expect(covers(null).map(({ path }) => path)).toEqual(["/seen/shut/data", "/seen/open/data", "/seen/token"]);
  expect(covers(60_000).map(({ path }) => path)).toEqual(["/seen/shut", "/seen/open/data", "/seen/token"]);
});

it("takes a remote worker's own token, and a server's folders that its environment names", () => {
  const env = {
    SKILLGATE_DATA: "/srv/gate",
    SKILLGATE_BACKUPS: "/mnt/b",
    OIDC_CLIENT_SECRET_FILE: "/etc/s",
    SSL_CERT_FILE: "/etc/ssl/cert.pem",
    PATH: "/bin",
  };
  expect(hiddenOf(env, "/root/token").sort()).toEqual(
    ["/etc/s", "/mnt/b", "/root/token", "/srv/gate", "/srv/gate-backups"].sort(),
  );
});
