import { expect, it } from "vitest";
import { workerEnv } from "./launch.mjs";

it.each([
  "NEXTAUTH_SECRET",
  "NEXTAUTH_URL",
  "DATABASE_URL",
  "SKILLGATE_ADMIN_PASSWORD",
  "SKILLGATE_ADMIN_TOKEN",
  "SKILLGATE_DATA",
  "SKILLGATE_ANYTHING_NEW",
  "SKILLGATE_WORKER_TOKEN",
  "GITHUB_CLIENT_SECRET",
  "OIDC_CLIENT_SECRET",
  "npm_config_//registry/:_authToken",
])("keeps %s from the worker", (name) => {
  expect(workerEnv({ [name]: "secret" })).toEqual({});
});

it("passes on what skills may be granted and the worker's own settings", () => {
  const env = {
    PATH: "/bin",
    HOME: "/root",
    OPENAI_API_KEY: "k",
    GITHUB_TOKEN: "g",
    SKILLGATE_WORKER_SLOTS: "4",
    SKILLGATE_WORKER_PATHS: "/srv",
    SKILLGATE_WORKER_ENV: "HOME",
    SKILLGATE_WORKER_LINUX_CAPABILITIES: "CAP_NET_RAW",
    SKILLGATE_WORKER_NAMESPACES: "pid",
    SKILLGATE_WORKER_RANGES: "10.0.0.0/8",
    SKILLGATE_LOG_LEVEL: "warn",
    SKILLGATE_SKILL_DIRS: "/etc/skillgate/skills",
  };
  expect(workerEnv(env)).toEqual(env);
});
