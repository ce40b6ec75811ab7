import { expect, it } from "vitest";
import { serverPlaces } from "./launch.mjs";

it("names every folder and file that holds data, keys, backups or secrets", () => {
  const env = {
    SKILLGATE_DATA: "/srv/gate",
    SKILLGATE_KEYS: "/srv/keys",
    DATABASE_URL: "file:/srv/base/gate.db",
    OIDC_CLIENT_SECRET_FILE: "/etc/gate/oidc",
    SKILLGATE_TRUSTED_DIGESTS: "/etc/gate/digests",
    SSL_CERT_FILE: "/etc/ssl/cert.pem",
  };
  expect(serverPlaces(env)).not.toContain("/etc/ssl/cert.pem");
  expect(serverPlaces(env)).toEqual(
    expect.arrayContaining([
      "/srv/gate",
      "/srv/gate-backups",
      "/srv/keys",
      "/srv/base",
      "/etc/gate/oidc",
      "/etc/gate/digests",
    ]),
  );
  expect(serverPlaces({ ...env, SKILLGATE_BACKUPS: "/mnt/b" })).toContain("/mnt/b");
  expect(serverPlaces({ ...env, DATABASE_URL: "file:/tmp/x.db" })).toEqual(
    expect.arrayContaining(["/tmp/x.db", "/tmp/x.db-wal"]),
  );
});
