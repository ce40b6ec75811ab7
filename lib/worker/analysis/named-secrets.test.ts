import { expect, it } from "vitest";
import { namedSecrets } from "./named-secrets";

const named = (...texts: (string | Buffer)[]) =>
  namedSecrets(texts.map(async (text) => new Uint8Array(typeof text === "string" ? Buffer.from(text) : text)));

it("names the secrets that files of any language read", async () => {
  const { env } = await named(
    'curl -d "$SLACK_WEBHOOK \u0024{PGPASSWORD} \u0024{!MONGODB_URI}" x',
    'os.environ["STRIPE_KEY"]; os.environ.get("DB_URL"); environ["GIT_TOKEN"]; os.getenv("SENTRY_DSN")',
    "process.env.NPM_AUTH; process.env['CI_SECRET']; const { HF_TOKEN, API_KEY: key, PORT } = process.env;",
    "ENV['GEM_CREDENTIALS']; $env:AZURE_CLIENT_SECRET; $_ENV['WP_PASS']; os.Getenv(\"GO_TOKEN\")",
    Buffer.from("# caf\xe9\ncurl -d $LATIN_TOKEN x", "latin1"),
  );
  expect(env.sort()).toEqual(
    [
      ...["SLACK_WEBHOOK", "PGPASSWORD", "MONGODB_URI", "STRIPE_KEY", "DB_URL", "GIT_TOKEN", "SENTRY_DSN", "NPM_AUTH"],
      ...["CI_SECRET", "HF_TOKEN", "API_KEY", "GEM_CREDENTIALS", "AZURE_CLIENT_SECRET", "WP_PASS", "GO_TOKEN"],
      "LATIN_TOKEN",
    ].sort(),
  );
});

it("leaves out variables of which a program expects something else", async () => {
  expect((await named("cd $WORK_DIR; curl $BASE_URL -p $PORT > $OUT")).env).toEqual([]);
});

it("names the settings without which a program ends", async () => {
  const { settings, env } = await named(
    "os.environ['ACME_REGION']; os.environ['OUT'] = 'x'; os.environ.get('MODE'); ENV.fetch('ROWS'); os.environ['A_KEY']",
    'cd "\u0024{WORK_DIR:?}"; echo \u0024{X:-y}; os.environ["ACME_NO_TELEMETRY"]',
  );
  expect({ settings, env }).toEqual({ settings: ["ACME_REGION", "ROWS", "WORK_DIR"], env: ["A_KEY"] });
});

it("names the places of the home", async () => {
  const { paths } = await named('cat ~/notes.txt "$HOME/.tool/key.json" \u0024{HOME}/Documents/x.pdf /etc/passwd');
  expect(paths).toEqual(["~/notes.txt", "~/.tool/key.json", "~/Documents/x.pdf"]);
});

it("names the command lines that ask for credentials or a later start", async () => {
  const { commands } = await named(
    "t=$(gh auth token)\ngh pr list; systemctl --user enable a.service | cat; `aws configure get x`",
  );
  expect(commands).toEqual(["gh auth token", "systemctl --user enable a.service ", "aws configure get x"]);
});
