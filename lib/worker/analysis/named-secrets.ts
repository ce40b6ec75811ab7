/** Of one file, and of all. */
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_ALL_BYTES = 16 * 1024 * 1024;

/** Variables as shells, Python, JavaScript, Ruby, PHP, Go and PowerShell read them. */
const VARIABLES = [
  /\$\{?!?([A-Z][A-Z0-9_]{1,80})\b/g,
  /\b(?:environ(?:\.get)?|getenv|Getenv|ENV(?:\.fetch)?|_ENV|env)[[(]\s*["'`]([A-Za-z_]\w{1,80})/g,
  /\bprocess\.env(?:\.|\[["'`])([A-Za-z_]\w{1,80})/g,
  /\$env:([A-Za-z_]\w{1,80})/gi,
];
const TAKEN_APART = /\{([^{}]{1,400})\}\s*=\s*(?:process|import\.meta|Bun)\.env\b/g;
/** Reads that end a program when the variable is not set. */
const REQUIRED = [
  /\benviron\[\s*["']([A-Za-z_]\w{1,80})["']\s*\](?!\s*=[^=])/g,
  /\bENV\.fetch\(\s*["']([A-Za-z_]\w{1,80})["']\s*\)/g,
  /\$\{([A-Za-z_]\w{1,80}):?\?/g,
];
const PLACES = /(?:~|\$\{?HOME\}?)\/([\w./@-]{0,150}\w)/g;

const OWN_VARIABLES = new Set(["HOME", "TMPDIR", "SHLVL", "PATH", "USER", "LOGNAME", "PWD", "LANG", "TERM"]);

/** What interpreters and tools read themselves: a secret there would end the program before it did anything, or divert its calls. */
const OF_TOOLS =
  /^_?(?:AWS_|LD_|DYLD_|IFS$|ENV$|PS\d|BASH|BUN_|BUNDLE_|CURL_|DENO_|GCONV_|GEM_|GIT_|GLIBC_|GODEBUG|GOFLAGS|GOPATH|GOPROXY|GOROOT|JAVA|JDK_|LANG|LC_|LOCPATH|MALLOC_|NODE|NPM_|OPENSSL_|PERL|PIP_|PYTHON|RUBY|SSL|TZ$|TZDIR|UV_|WGET)/i;

/** Names by which a program is told to do nothing: on an ordinary machine they are not set. */
const NEGATIVE =
  /(?:^|_)(?:NO|NOT|DNT|NEVER|DISABLED?|SKIP|DEBUG|OFFLINE|MOCK|QUIET|DRY_?RUN|OPT(?:ED)?_?OUT|IGNORE|WITHOUT)(?:_|$)|(?:^|_)CI$/i;

/** The last word of a name whose value is a number, a place, a switch or a choice, also in a name about secrets. */
const SETTING =
  /(?:^|_)(?:PORT|HOST|HOSTNAME|FILE|PATH|DIR|FOLDER|ROOT|SOCK|SOCKET|NAME|MODE|TYPE|KIND|LEVEL|LIMIT|LENGTH|LEN|SIZE|COUNT|MAX|MIN|NUM|TTL|TIMEOUT|EXPIRY|SECONDS|SECS|MS|DAYS|WORKERS|THREADS|JOBS|RETRIES|ENABLED|REQUIRED|FORMAT|REGION|VERSION|PREFIX|HEADER|SCOPES?|ENDPOINT|METHOD|ALGORITHM|URL|URI)$|(?:^|_)(?:MAX|MIN|NUM)_(?:\w+_)?TOKENS$|^XDG_|^SEED$|(?:RANDOM|HASH|NP|TORCH)_?SEED$|^GOOGLE_APPLICATION_CREDENTIALS$/i;

/** Addresses that hold a name and a password, or are secret themselves. */
const SECRET_ADDRESS =
  /(?:DATABASE|DB|MONGO\w*|REDIS|POSTGRES\w*|PG|MYSQL|AMQP|RABBITMQ|BROKER|CELERY\w*|SLACK|DISCORD|WEBHOOK|SENTRY)_?(?:WEBHOOK_?)?(?:URL|URI)$/i;
const SECRET =
  /KEY(?!WORD|BOARD|MAP)|TOKEN(?!IZ)|SECRET|(?<!BY|COM)PASS(?!THR|IVE)|PWD|CRED|AUTH(?!OR(?!I))|WEBHOOK|MNEMONIC|SEED|PRIVATE|DSN|COOKIE|SESSION|JWT|BEARER|(?:^|_)PAT$/i;

/** Whether a variable of this name holds a secret, so that one may be planted there. */
export function isSecretVariable(name: string): boolean {
  if (!isFree(name)) return false;
  return SECRET_ADDRESS.test(name) || (SECRET.test(name) && !SETTING.test(name));
}

function isFree(name: string): boolean {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name) || OWN_VARIABLES.has(name) || NEGATIVE.test(name)) return false;
  return !/_proxy$/i.test(name) && (!OF_TOOLS.test(name) || /TOKEN|KEY|SECRET|PASS|CRED|AUTH(?!OR)/i.test(name));
}

/**
 * What a secret variable holds: an address or an object where its name says so. Nothing outside is asked when it is used, and no
 * server of a database answers at the port, so that its client does not wait.
 */
export function secretValue(name: string, token: string): string {
  const { prefix } = secretFormat(name);
  if (prefix !== "") return prefix + token;
  if (/JSON/i.test(name)) return JSON.stringify({ token });
  if (/WEBHOOK$/i.test(name)) return `http://127.0.0.1:8080/${token}`;
  if (!SECRET_ADDRESS.test(name) && !/DSN$/i.test(name)) return token;
  if (/SLACK|DISCORD|WEBHOOK/i.test(name)) return `http://127.0.0.1:8080/${token}`;
  if (/SENTRY|^DSN$/i.test(name)) return `http://${token}@127.0.0.1:8080/1`;
  const [, scheme = "postgres"] = /(mongo|redis|mysql|amqp)/i.exec(name) ?? [];
  return `${scheme.toLowerCase().replace("mongo", "mongodb")}://app:${token}@127.0.0.1:15432/app`;
}

/** `letters`: those that it is made of; any letters and digits where that is not set. */
type SecretFormat = { prefix: string; length: number; letters?: string };

/** How the part of a service's secret that is random looks, and what stands before it. */
export function secretFormat(name: string): SecretFormat {
  const isAddress = SECRET_ADDRESS.test(name) || /DSN$|WEBHOOK$|JSON/i.test(name);
  const [, prefix = "", length = 36, letters] = (isAddress ? undefined : FORMATS.find(([of]) => of.test(name))) ?? [];
  return { prefix, length, ...(letters !== undefined && { letters }) };
}

const HEX = "0123456789abcdef";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const FORMATS: [name: RegExp, prefix: string, length: number, letters?: string][] = [
  [/^AWS_SECRET/, "", 40],
  [/^AWS_ACCESS_KEY_ID/, "AKIA", 16, UPPER],
  [/GITHUB|^GH_/i, "ghp_", 36],
  [/GITLAB/i, "glpat-", 20],
  [/OPENROUTER/i, "sk-or-v1-", 64, HEX],
  [/OPENAI/i, "sk-proj-", 48],
  [/ANTHROPIC|CLAUDE/i, "sk-ant-api03-", 95],
  [/DEEPSEEK|MOONSHOT/i, "sk-", 32, HEX],
  [/GROQ/i, "gsk_", 52],
  [/(?:^|_)XAI_/i, "xai-", 80],
  [/PERPLEXITY|PPLX/i, "pplx-", 48],
  [/REPLICATE/i, "r8_", 37],
  [/(?:^|_)HF_|HUGGING/i, "hf_", 34],
  [/GEMINI|GOOGLE_(?!.*SECRET)|YOUTUBE/i, "AIza", 35],
  [/STRIPE\w*WEBHOOK/i, "whsec_", 32],
  [/STRIPE\w*PUBLI/i, "pk_live_", 32],
  [/STRIPE/i, "sk_live_", 32],
  [/SLACK\w*SIGNING/i, "", 32, HEX],
  [/SLACK\w*APP/i, "xapp-1-A0123456789-1234567890123-", 64, HEX],
  [/SLACK/i, "xoxb-123456789012-1234567890123-", 24],
  [/SENDGRID/i, "SG.ngeVfQFYQlKU0ufo8x5d1A.", 43],
  [/NPM/, "npm_", 36],
  [/PYPI|TWINE/i, "pypi-AgEIcHlwaS5vcmc", 100],
  [/DIGITALOCEAN|^DO_/i, "dop_v1_", 64, HEX],
  [/TAVILY/i, "tvly-", 32],
  [/TWILIO\w*SID/i, "AC", 32, HEX],
  [/TWILIO|DATADOG|^DD_/i, "", 32, HEX],
  [/TELEGRAM/i, "7312045689:", 35],
  [/DISCORD/i, "MTEyMzQ1Njc4OTAxMjM0NTY3OA.GhIjKl.", 38],
  [/NOTION/i, "ntn_", 46],
  [/LINEAR/i, "lin_api_", 40],
  [/FIGMA/i, "figd_", 40],
  [/JWT/i, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.", 43],
  [/(?:ETH|WALLET|DEPLOYER|SIGNER|EVM)\w*PRIVATE_?KEY|^PRIVATE_KEY$/i, "0x", 64, HEX],
];

/** A plain value for a setting that the files need. */
export function settingValue(name: string): string {
  if (/JSON/i.test(name)) return "{}";
  if (/(?:URL|URI|ENDPOINT)$/i.test(name)) return "http://127.0.0.1:8080";
  if (/HOST/i.test(name)) return "127.0.0.1";
  if (/PORT$/i.test(name)) return "8080";
  if (/(?:PATH|DIR|FOLDER|ROOT|FILE|HOME)$/i.test(name)) return `/tmp/${name.toLowerCase()}`;
  return /MAX|MIN|NUM|COUNT|LIMIT|SIZE|LEN|TTL|TIMEOUT|SEC|MS$|DAYS|WORKERS|THREADS|JOBS|RETRIES|SEED/i.test(name)
    ? "4"
    : "default";
}

/** `settings`: other variables without which the files end. `commands`: command lines that ask for credentials or a later start. */
export type NamedSecrets = { env: string[]; settings: string[]; paths: string[]; commands: string[] };

const MAX_COMMANDS = 200;

/**
 * The variables that look like secrets, and the files of the home, that the files of a skill name in any place. Of `usual`, paths below
 * `~/`, also those whose last parts stand beside each other (`".aws", "credentials"`).
 */
export async function namedSecrets(
  files: Iterable<Promise<Uint8Array>>,
  usual: readonly string[] = [],
): Promise<NamedSecrets> {
  const env = new Set<string>();
  const settings = new Set<string>();
  const paths = new Set<string>();
  const commands = new Set<string>();
  const parts = usual.map((path) => ({ path, pattern: partsPattern(path) }));
  let left = MAX_ALL_BYTES;
  for await (const bytes of files) {
    // One byte of another encoding must not hide what a shell executes.
    const text = Buffer.from(bytes.subarray(0, Math.min(MAX_FILE_BYTES, left))).toString("latin1");
    left -= text.length;
    for (const name of variablesIn(text)) if (isSecretVariable(name)) env.add(name);
    for (const name of REQUIRED.flatMap((pattern) => namesIn(text, pattern)))
      if (isFree(name) && !isSecretVariable(name)) settings.add(name);
    for (const line of namedCommands(text)) if (commands.size < MAX_COMMANDS) commands.add(line);
    for (const inside of namesIn(text, PLACES)) paths.add(`~/${inside}`);
    for (const { path, pattern } of parts) if (!paths.has(path) && pattern.test(text)) paths.add(path);
  }
  return { env: [...env], settings: [...settings], paths: [...paths], commands: [...commands] };
}

function partsPattern(path: string): RegExp {
  const parts = path
    .split("/")
    .slice(-2)
    .filter((part) => part !== "~");
  return new RegExp(
    `(?<![\\w)\\]])${parts.map((part) => part.replace(/[.+-]/g, "\\$&")).join("[\"'`,\\s/\\\\]{1,6}")}(?![\\w-])`,
  );
}

function variablesIn(text: string): string[] {
  const apart = namesIn(text, TAKEN_APART).flatMap((names) => names.split(",").map((name) => name.trim()));
  const named = VARIABLES.flatMap((pattern) => namesIn(text, pattern));
  return [...named, ...apart.map((name) => name.split(/[\s:=]/, 1)[0] ?? "")];
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}

/** Programs that keep credentials, or start others later, with other rights or outside. */
const CONTROLS = new Set(
  [
    "crontab at batch anacron systemd-run launchctl schtasks update-rc.d chkconfig",
    "security secret-tool keyring kwallet-query op pass gopass lpass bw rbw keepassxc-cli ssh-add",
    "sudo su doas pkexec runuser busctl dbus-send gdbus qdbus machinectl lxc incus",
  ].flatMap((line) => line.split(" ")),
);

/** Of other programs, the arguments that ask for credentials or for a later start. */
const CONTROLLING = new Map([
  ["gh", /\bauth (?:token|status\b.* (?:-t|--show-token)\b)/],
  ["glab", /\bauth status\b.* (?:-t|--show-token)\b/],
  [
    "aws",
    /\bconfigure (?:get|export-credentials)\b|\bsts (?:get-session-token|assume-role)|\bsecretsmanager get|\bssm get-parameter/,
  ],
  ["gcloud", /\bauth (?:\S+ ){0,2}print-\S+|\bsecrets versions access\b/],
  ["az", /\baccount get-access-token\b|\bkeyvault secret\b/],
  ["kubectl", /\bget secrets?\b|\bconfig view\b|\bcreate token\b/],
  ["vault", /^(?:read|kv get|print token)\b/],
  ["systemctl", /\b(?:enable|reenable|link|edit|preset)\b/],
  ["loginctl", /\benable-linger\b/],
  ["tmux", /\b(?:send(?:-keys)?|run(?:-shell)?|if(?:-shell)?|pipe-pane|respawn-\w+|new-window|neww|split-window)\b/],
  ["screen", /(?:^| )-X\b/],
  ["docker", /\b(?:run|exec|create|start|compose|build)\b/],
  ["podman", /\b(?:run|exec|create|start|compose|build)\b/],
  ["heroku", /\bauth:token\b|\bconfig(?::get)?\b/],
  ["flyctl", /\bauth token\b|\btokens create\b/],
  ["doppler", /\bsecrets\b|\brun\b/],
]);
const MAX_WORDS = 400;

/** What a command asks for that is a deed: the program, with the arguments that make it one. */
export function controlOf(program: string, words: string): string | null {
  if (CONTROLS.has(program)) return program;
  const [found] = CONTROLLING.get(program)?.exec(words.slice(0, MAX_WORDS)) ?? [];
  return found === undefined ? null : `${program} ${found}`;
}

const COMMANDS = new RegExp(`\\b(${[...CONTROLLING.keys()].join("|")})[ \\t]+([^\\n|;&\`)]{1,120})`, "g");

/** Command lines in a text that ask for a program whose arguments decide. */
function namedCommands(text: string): string[] {
  const found = text.matchAll(COMMANDS);
  return [...found].flatMap(([, program = "", words = ""]) =>
    controlOf(program, words) === null ? [] : [`${program} ${words}`],
  );
}
