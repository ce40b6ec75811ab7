import { expect, test, vi } from "vitest";
import { System } from "@/lib/http/schema";
import { testServer } from "@/lib/testing/test-server";
import * as system from "./route";

const { call, person, database } = await testServer([["/api/admin/system", system]]);

test("an admin sees the state of the instance and what is configured, and no secret", async () => {
  vi.stubEnv("SKILLGATE_METRICS_TOKEN", "a-secret-of-the-scraper-only-0123456789");
  vi.stubEnv("OIDC_ISSUER", "https://login.example.test");
  vi.stubEnv("OIDC_CLIENT_ID", "skillgate");
  vi.stubEnv("OIDC_CLIENT_SECRET", "a-secret-of-the-provider");
  const response = await call("GET", "/api/admin/system", { token: (await person("admin")).token });
  expect(response.status).toBe(200);
  const text = await response.text();
  for (const secret of ["of-the-scraper", "of-the-provider", process.env.NEXTAUTH_SECRET ?? "-"]) {
    expect(text).not.toContain(secret);
  }
  const answer = System.parse(JSON.parse(text));
  expect(answer).toMatchObject({
    readiness: { status: "ready" },
    database: {
      provider: database.dialect,
      bytes: expect.any(Number),
      lastMigration: expect.stringMatching(/^\d{14}_/),
    },
    queue: { queued: 0, running: 0, workers: { online: 0, slots: 0, busy: 0 } },
    audit: { head: 0, verified: null },
    metrics: { hasToken: true },
  });
  const entry = (name: string) => answer.configuration.find((one) => one.name === name);
  expect(entry("OIDC_CLIENT_SECRET")).toMatchObject({ isSet: true, isSecret: true, value: null });
  expect(entry("OIDC_CLIENT_ID")).toMatchObject({ isSet: true, isSecret: false, value: "skillgate" });
  expect(entry("PORT")).toMatchObject({ isSet: false, value: "3000" });
  expect(entry("SKILLGATE_ADMIN_TOKEN")).toMatchObject({ isSet: false, isSecret: true, value: null });
  vi.unstubAllEnvs();
});

test("other callers may not read the state of the instance", async () => {
  expect((await call("GET", "/api/admin/system")).status).toBe(401);
  expect((await call("GET", "/api/admin/system", { token: (await person("reviewer")).token })).status).toBe(403);
});
