import { expect, it } from "vitest";
import { createDecoys, withoutNamed } from "./decoys";

const envOf = (...env: string[]) => createDecoys({ env, paths: [] }).env;
const fileOf = (path: string) =>
  createDecoys({ env: [], paths: [path] }).files.find((file) => file.path === path.replace("~", "/home/dev"));

it("plants variables that are named like secrets", () => {
  const names = [
    "ACME_API_KEY",
    "HF_TOKEN",
    "CI_JOB_TOKEN",
    "SMTP_PASSWORD",
    "WALLET_SEED",
    "SESSION_COOKIE",
    "GH_PAT",
  ];
  expect(Object.keys(envOf(...names))).toEqual(expect.arrayContaining(names));
});

it.each(["ACME_PORT", "ACME_ENDPOINT", "MAX_WORKERS", "OUTPUT_DIR", "XDG_CACHE_HOME", "ACME_CONFIG_JSON", "LOG_LEVEL"])(
  "does not set %s, of which a program expects something else",
  (name) => expect(envOf(name)).not.toHaveProperty(name),
);

it.each(["MAX_TOKENS", "TOKEN_TTL", "KEY_FILE", "GIT_AUTHOR_NAME", "RANDOM_SEED", "SSH_AUTH_SOCK", "KEYWORDS"])(
  "does not take %s for a secret",
  (name) => expect(envOf(name)).not.toHaveProperty(name),
);

it.each([
  ...["ACME_NO_TELEMETRY", "DO_NOT_TRACK", "ACME_DISABLE_TOKEN", "SKIP_AUTH", "CI", "DEBUG", "KEY_OPT_OUT", "DRY_RUN"],
  "AUTH_DISABLED",
])("never sets %s, which tells a program to do nothing", (name) => expect(envOf(name)).not.toHaveProperty(name));

it("gives addresses and objects the form that their names say", () => {
  const env = envOf("DATABASE_URL", "SLACK_WEBHOOK_URL", "GCP_KEY_JSON");
  expect(new URL(env.DATABASE_URL ?? "")).toMatchObject({
    protocol: "postgres:",
    username: "app",
    hostname: "127.0.0.1",
  });
  expect(new URL(env.SLACK_WEBHOOK_URL ?? "").host).toBe("127.0.0.1:8080");
  expect(JSON.parse(env.GCP_KEY_JSON ?? "")).toEqual({ token: expect.any(String) });
});

it("gives settings that the files need a plain value", () => {
  const { env, canaries } = createDecoys({ env: [], settings: ["ACME_PORT", "OUT_DIR", "MODE"], paths: [] });
  expect(env).toMatchObject({ ACME_PORT: "8080", OUT_DIR: "/tmp/out_dir", MODE: "default" });
  expect(canaries.filter(({ name }) => name in env)).toEqual([]);
});

it.each(["conf.d", "v1.2", "tool.lock", "opt-out.json", "installed", "state", "thing.git"])(
  "does not plant ~/.acme/%s, which a program makes itself or looks for",
  (name) => expect(fileOf(`~/.acme/${name}`)).toBeUndefined(),
);

it("does not plant a file where another one needs a folder", () => {
  const { files } = createDecoys({ env: [], paths: ["~/.acme/token", "~/.acme/token/a.json"] });
  expect(files.map(({ path }) => path).filter((path) => path.includes("acme"))).toEqual([
    "/home/dev/.acme/token/a.json",
  ]);
});

it("plants valid texts of the formats that programs read", () => {
  expect(JSON.parse(fileOf("~/.acme/config.json")?.content ?? "")).toEqual({ token: expect.any(String) });
  expect(fileOf("~/.acme/config.toml")?.content).toMatch(/^token = "\w+"\n$/);
  expect(fileOf("~/.acme/config.yaml")?.content).toMatch(/^token: \w+\n$/);
  expect(fileOf("~/.acme/config.ini")?.content).toMatch(/^\[default\]\ntoken = \w+\n$/);
});

it("follows own settings, and guards files in which people keep secrets", () => {
  const { canaries } = createDecoys({
    ...{ env: [], paths: ["~/.acme/config.json", "~/.acme/key.json", "~/.config/rclone/rclone.conf"] },
  });
  expect(canaries.flatMap(({ name, isNamed, isDocument = false }) => (isNamed ? [[name, isDocument]] : []))).toEqual(
    expect.arrayContaining([
      ["~/.acme/config.json", true],
      ["~/.acme/key.json", false],
      ["~/.config/rclone/rclone.conf", false],
    ]),
  );
});

it("has the same world without what the skill names", () => {
  const common = createDecoys();
  expect(withoutNamed(common, { usual: false })).toBeNull();
  const bare = withoutNamed(createDecoys({ env: ["A_KEY"], settings: ["B"], paths: ["~/.acme/key.json"] }), {
    usual: false,
  });
  expect(Object.keys(bare?.env ?? {})).toEqual(Object.keys(common.env));
  expect(bare?.files.map(({ path }) => path)).toEqual(common.files.map(({ path }) => path));
  expect(bare?.canaries.map(({ name }) => name)).toEqual(common.canaries.map(({ name }) => name));
});

it("leaves out the usual secrets that a skill names only where that is asked", () => {
  const decoys = createDecoys({ env: ["NPM_TOKEN", "A_KEY"], paths: ["~/.pypirc"] });
  const namesOf = (usual: boolean) => withoutNamed(decoys, { usual })?.canaries.map(({ name }) => name);
  expect(namesOf(false)).toEqual(expect.arrayContaining(["$NPM_TOKEN", "~/.pypirc"]));
  expect(namesOf(false)).not.toContain("$A_KEY");
  for (const gone of ["$NPM_TOKEN", "~/.pypirc", "$A_KEY"]) expect(namesOf(true)).not.toContain(gone);
  const { env, files } = withoutNamed(decoys, { usual: true }) ?? createDecoys();
  expect(env).not.toHaveProperty("NPM_TOKEN");
  expect(env).toHaveProperty("GITHUB_TOKEN");
  expect(files.map(({ path }) => path)).not.toContain("/home/dev/.pypirc");
});

it("gives secrets of known services their forms", () => {
  const { env } = createDecoys({
    env: ["STRIPE_SECRET_KEY", "SLACK_BOT_TOKEN", "GH_TOKEN", "SLACK_WEBHOOK_URL"],
    paths: [],
  });
  expect(env.STRIPE_SECRET_KEY).toMatch(/^sk_live_\w{32}$/);
  expect(env.SLACK_BOT_TOKEN).toMatch(/^xoxb-/);
  expect(env.GH_TOKEN).toMatch(/^ghp_\w{36}$/);
  expect(env.AWS_SECRET_ACCESS_KEY).toHaveLength(40);
  expect(env.SLACK_WEBHOOK_URL).toMatch(/^http:/);
});
