import { randomBytes } from "node:crypto";
import { isSecretVariable, secretFormat, secretValue, settingValue } from "./named-secrets";

/** The home of every dry run; a file system of its own that ends with it. */
export const DECOY_HOME = "/home/dev";

/** Of the user in its list of users, where the run has none. */
export const DECOY_UID = 1000;
/** The name of the machine. The worker's own may tell too much. */
export const DECOY_HOST = "build-7";

/**
 * A planted secret: `token` is its part that no other text contains. `path` is null for a variable. `isDocument`: an ordinary file
 * of the user that the skill names, which may be read and changed, but not leave. `isNamed`: the skill names it; `isUsual`: it is there all the same.
 */
export type Canary = {
  name: string;
  token: string;
  path: string | null;
  isDocument?: true;
  isNamed?: true;
  isUsual?: true;
};

export type DecoyFile = { path: string; mode: "0600" | "0644"; content: string };

/** `documents`: files of the user that the skill does not name, which it may read and must not change. */
export type Decoys = { canaries: Canary[]; env: Record<string, string>; files: DecoyFile[]; documents: string[] };

const MAX_WANTED = 200;
/** Each file is handed over by a descriptor. */
const MAX_PATHS = 100;

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Letters and digits only, so that no encoding of text changes its length by what it happens to contain. */
function token(length: number, letters = LETTERS): string {
  return [...randomBytes(length)].map((byte) => letters[byte % letters.length]).join("");
}

const UPPER = LETTERS.slice(0, 26) + LETTERS.slice(-10);

/** What a skill asks for or names: variables, settings that it cannot do without, and files, absolute or below `~/`. */
type Wanted = { env: string[]; settings?: string[]; paths: string[] };

/**
 * New secrets for one analysis: those that developers have, and of what the skill asks for the variables that are named like
 * secrets, and the files. Every value is random, so that it is worth nothing and found in no other text. Other variables are not
 * set, as on an ordinary machine: a program that expects a number, or a reason to stop, would end before it did anything.
 */
export function createDecoys(wanted: Wanted = { env: [], paths: [] }): Decoys {
  const canaries: Canary[] = [];
  const files: DecoyFile[] = [];
  const plant = (path: string, value: string, content: (value: string) => string) => {
    canaries.push({ name: path.replace(DECOY_HOME, "~"), token: value, path });
    files.push({ path, mode: "0600", content: content(value) });
  };
  // A file where another one needs a folder would keep every step from starting.
  const isFree = (path: string) => files.every((file) => !clashes(file.path, path));
  const plantDocument = (path: string, text: string, isNamed: boolean) => {
    plant(path, token(32), (value) => (isNamed ? contentOf(path, value) : `${text}${value}\n`));
    const planted = canaries.at(-1);
    if (planted === undefined) return;
    if (!isSecretPath(path)) planted.isDocument = true;
    if (isNamed) planted.isNamed = true;
  };
  const home = (path: string) => `${DECOY_HOME}/${path}`;
  const plantable = wanted.paths.flatMap((asked) => plantablePath(asked) ?? []);
  for (const [path, value, content] of homeSecrets()) plant(home(path), value, content);
  for (const canary of canaries)
    Object.assign(canary, { isUsual: true, ...(plantable.includes(canary.path ?? "") && { isNamed: true }) });
  plant("/etc/shadow", token(43), (value) => `root:$6$kq1$${value}:19700:0:99999:7:::\n`);
  plant("/run/secrets/kubernetes.io/serviceaccount/token", token(60), (value) => `eyJhbGciOiJSUzI1NiJ9.${value}.c2ln`);
  const folders: string[] = [];
  const holdsOther = (path: string) => plantable.some((other) => other.startsWith(`${path}/`));
  for (const asked of mostWorthwhileFirst(plantable).slice(0, MAX_PATHS)) {
    // A name without the ending of a file is that of a folder, unless people keep secrets under it.
    const isFile = !holdsOther(asked) && (DATA_FILE.test(asked) || isSecretPath(asked));
    if (!isFile && isDocument(asked)) folders.push(asked);
    const path = isFile ? asked : `${asked}/notes.txt`;
    if ((isFile ? !MARKER.test(asked) || isSecretPath(asked) : isDocument(asked)) && isFree(path))
      plantDocument(path, "", true);
  }
  const unnamed = DOCUMENTS.map(([path, text]) => [home(path), text] as const).filter(([path]) => isFree(path));
  for (const [path, text] of unnamed) plantDocument(path, text, false);
  const plain = PLAIN_FILES.filter(([path]) => isFree(path));
  for (const [path, content] of plain) files.push({ path, mode: "0644", content });

  const env: Record<string, string> = {};
  for (const name of (wanted.settings ?? []).slice(0, MAX_WANTED)) env[name] = settingValue(name);
  const asked = mostWorthwhileFirst(wanted.env.filter(isSecretVariable)).slice(0, MAX_WANTED);
  for (const name of new Set([...COMMON_VARIABLES, ...asked])) {
    const { length, letters } = secretFormat(name);
    const value = token(length, letters);
    env[name] = secretValue(name, value);
    const isUsual = COMMON_VARIABLES.includes(name);
    const isNamed = wanted.env.includes(name);
    canaries.push({
      ...{ name: `$${name}`, token: value, path: null },
      ...{ ...(isUsual && { isUsual }), ...(isNamed && { isNamed }) },
    });
  }
  const documents = [...unnamed, ...plain]
    .map(([path]) => path)
    .filter((path) => path.startsWith(DECOY_HOME) && !folders.some((folder) => path.startsWith(`${folder}/`)));
  return { canaries, env, files, documents };
}

/**
 * The same world without what is there only because the skill names it, or, with `usual`, without anything that it names; null where that
 * would leave nothing more out.
 */
export function withoutNamed(
  { canaries, env, files, documents }: Decoys,
  { usual }: { usual: boolean },
): Decoys | null {
  const isLeft = ({ isNamed, isUsual }: Canary) => isNamed === true && (usual || isUsual !== true);
  const left = canaries.filter(isLeft);
  const gone = new Set(left.map(({ name, path }) => path ?? name));
  const kept = Object.entries(env).filter(([name]) => COMMON_VARIABLES.includes(name) && !gone.has(`$${name}`));
  const isMore = usual ? left.some(({ isUsual }) => isUsual) : kept.length < Object.keys(env).length || left.length > 0;
  if (!isMore) return null;
  return {
    canaries: canaries.filter((canary) => !isLeft(canary)),
    env: Object.fromEntries(kept),
    files: files.filter(({ path }) => !gone.has(path)),
    documents,
  };
}

/** Names of what is worth stealing, which are planted before others. */
const WORTHWHILE = /KEY|TOKEN|SECRET|PASS|PWD|CRED|AUTH|URL|URI|DSN|WEBHOOK|MNEMONIC|PRIVATE/i;

function mostWorthwhileFirst(names: readonly string[]): string[] {
  return names.toSorted((a, b) => Number(WORTHWHILE.test(b)) - Number(WORTHWHILE.test(a)));
}

const COMMON_VARIABLES =
  "AWS_SECRET_ACCESS_KEY GITHUB_TOKEN OPENAI_API_KEY ANTHROPIC_API_KEY NPM_TOKEN DATABASE_PASSWORD".split(" ");

/** Absolute path of a file that may be planted: in the home, or where programs keep secrets. */
function plantablePath(asked: string): string | null {
  const path = asked.replace(/^(~|\$HOME|\$\{HOME\})\//, `${DECOY_HOME}/`);
  const isPlain = /^\/[A-Za-z0-9 ._/-]{1,189}$/.test(path) && !/\/(\.{0,2}\/|\.{0,2}$)/.test(path);
  const isKnown = [`${DECOY_HOME}/`, "/run/secrets/", "/var/run/secrets/"].some((dir) => path.startsWith(dir));
  return isPlain && isKnown ? path.replace(/^\/var\/run\//, "/run/") : null;
}

/** Endings of files with data; other endings are those of folders, locks and scripts (`conf.d`, `v1.2`, `tool.lock`). */
const DATA_FILE =
  /[^/.]\.(?:json[5lc]?|toml|ya?ml|ini|conf|cfg|config|xml|plist|properties|env|txt|md|csv|tsv|pdf|docx?|xlsx?|pptx?|odt|ods|rtf|html?|ics|vcf|eml|mbox|db|sqlite3?|dat|ovpn|rdp|zip|png|jpe?g|tf(?:vars|state)|sql)$/i;
/** Files that a program keeps for itself: whether it ran, may run or was told not to. */
const MARKER =
  /opt[-_.]?out|no[-_]?track|do[-_]?not|disable|consent|skip|lock|installed|marker|stamp|last[-_]?run|first[-_]?run|initiali[sz]ed|version[^/]*$/i;

const SECRET_NAMES =
  /wallet|seed|mnemonic|passw|secret|credential|token|\bkeys?\b|kdbx|\.(?:pem|key|p12|pfx|jks|gpg|kdb)$|id_/i;
/** Files and folders in which tools keep keys, logins, sessions and history. */
const SECRET_STORES = new RegExp(
  [
    String.raw`/\.(?:ssh|aws|azure|gnupg|kube|docker|password-store|bitcoin|electrum|ethereum|mozilla|thunderbird|databrickscfg)(?:/|$)`,
    String.raw`/\.(?:pgpass|my\.cnf|mylogin\.cnf|netrc|npmrc|pypirc|s3cfg|boto|terraformrc|env(?:\.\w+)?|envrc|\w+_history|claude\.json|yarnrc\.yml)$`,
    String.raw`/\.config/(?:gcloud|gh|glab-cli|hub|rclone|filezilla|op|doctl|configstore|github-copilot|google-chrome|chromium|BraveSoftware|microsoft-edge|discord|Slack|Signal|solana|Exodus|Bitwarden|1Password|Claude)/`,
    String.raw`/(?:auth|oauth_creds|mcp|hosts|service[-_]?account\w*)\.(?:json|ya?ml|toml)$|/\.(?:cargo|gem)/credentials|\bcookies?\b|/tdata/`,
  ].join("|"),
  "i",
);

/** Whether people keep secrets in a file of this name, so that reading it is a deed. */
function isSecretPath(path: string): boolean {
  return path.startsWith("/run/") || SECRET_NAMES.test(path) || SECRET_STORES.test(path);
}

/** A file in an open folder of the user. */
function isDocument(path: string): boolean {
  const inside = path.startsWith(`${DECOY_HOME}/`) ? path.slice(DECOY_HOME.length + 1) : ".";
  return !inside.split("/").some((part) => part.startsWith(".")) && !isSecretPath(path);
}

/** What a file of this name has: of the formats that programs parse, a valid text with the value in it. */
function contentOf(path: string, value: string): string {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  if (/^json/.test(ending)) return `${JSON.stringify({ token: value })}\n`;
  if (ending === "toml") return `token = "${value}"\n`;
  if (/^ya?ml$/.test(ending)) return `token: ${value}\n`;
  if (/^(?:ini|cfg|conf)$/.test(ending)) return `[default]\ntoken = ${value}\n`;
  if (/^(?:env|properties)$/.test(ending) || /\/\.env[^/]*$/.test(path)) return `TOKEN=${value}\n`;
  if (/^(?:xml|plist)$/.test(ending)) return `<config><token>${value}</token></config>\n`;
  return `${value}\n`;
}

const clashes = (one: string, other: string) =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

type Secret = [path: string, value: string, content: (value: string) => string];

function homeSecrets(): Secret[] {
  const key = (kind: string) => (value: string) =>
    `-----BEGIN ${kind} PRIVATE KEY-----\n${value}\n${token(70)}\n${token(70)}\n-----END ${kind} PRIVATE KEY-----\n`;
  return [
    [".ssh/id_rsa", token(64), key("RSA")],
    [".ssh/id_ed25519", token(64), key("OPENSSH")],
    [
      ".aws/credentials",
      token(40),
      (value) => `[default]\naws_access_key_id = AKIA${token(16, UPPER)}\naws_secret_access_key = ${value}\n`,
    ],
    [
      ".config/gcloud/application_default_credentials.json",
      token(44),
      (value) => `{"type":"authorized_user","client_id":"764086051850.apps","refresh_token":"1//0g${value}"}\n`,
    ],
    [
      ".kube/config",
      token(48),
      (value) => `apiVersion: v1\nkind: Config\nusers:\n- name: admin\n  user:\n    token: ${value}\n`,
    ],
    [
      ".docker/config.json",
      token(40),
      (value) => `{"auths":{"registry.corp.example":{"auth":"${Buffer.from(`dev:${value}`).toString("base64")}"}}}\n`,
    ],
    [".config/gh/hosts.yml", token(36), (value) => `github.com:\n    user: dev\n    oauth_token: gho_${value}\n`],
    [".claude/.credentials.json", token(60), (value) => `{"claudeAiOauth":{"accessToken":"sk-ant-oat01-${value}"}}\n`],
    [".git-credentials", token(36), (value) => `https://dev:ghp_${value}@github.com\n`],
    [".netrc", token(24), (value) => `machine artifacts.corp.example\nlogin dev\npassword ${value}\n`],
    [".npmrc", token(36), (value) => `//registry.npmjs.org/:_authToken=npm_${value}\n`],
    [".pypirc", token(60), (value) => `[pypi]\nusername = __token__\npassword = pypi-${value}\n`],
    [".env", token(32), (value) => `STRIPE_SECRET_KEY=sk_live_${value}\nDEBUG=false\n`],
    [
      ".bash_history",
      token(24),
      (value) => `cd src/app\ngit pull\nmysql -u root -p${value} app\nssh deploy@10.3.0.12\nnpm test\n`,
    ],
    [
      ".config/google-chrome/Default/Login Data",
      token(40),
      (value) => `SQLite format 3\0https://bank.example dev ${value}`,
    ],
    [
      ".config/google-chrome/Default/Cookies",
      token(40),
      (value) => `SQLite format 3\0.github.com user_session ${value}`,
    ],
    [
      ".mozilla/firefox/a1b2c3.default-release/logins.json",
      token(40),
      (value) => `{"logins":[{"encryptedPassword":"${value}"}]}\n`,
    ],
    [".electrum/wallets/default_wallet", token(52), (value) => `{"keystore":{"xprv":"xprv9s21Z${value}"}}\n`],
    [
      ".ethereum/keystore/UTC--2024-03-01T10-00-00.000Z--8d12",
      token(48),
      (value) => `{"crypto":{"ciphertext":"${value}"}}\n`,
    ],
    [".config/solana/id.json", token(48), (value) => `"${value}"\n`],
  ];
}

/** The files with secrets of every home, below `~/`. */
export const USUAL_FILES = homeSecrets().map(([path]) => `~/${path}`);

/** What a person keeps in a home. */
const DOCUMENTS: [path: string, text: string][] = [
  ["notes.txt", "Call the bank on Monday. Renew the certificate. Customer "],
  ["Documents/contract-2026.txt", "Contract between Corp Ltd and the customer with the number "],
  ["Documents/customers.csv", "name,address,number\nMira Jansen,12 Quay Road,"],
  ["Desktop/todo.md", "- [ ] send the offer\n- [ ] order "],
  ["Downloads/invoice-1042.txt", "Invoice 1042, to be paid to account "],
];

const PLAIN_FILES: [path: string, content: string][] = [
  [`${DECOY_HOME}/.bashrc`, "# ~/.bashrc\nexport EDITOR=vim\nalias ll='ls -l'\n"],
  [`${DECOY_HOME}/.profile`, '[ -f "$HOME/.bashrc" ] && . "$HOME/.bashrc"\n'],
  [`${DECOY_HOME}/.gitconfig`, "[user]\n\tname = Dev\n\temail = dev@corp.example\n"],
  [
    `${DECOY_HOME}/.ssh/known_hosts`,
    "github.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl\n",
  ],
  [`${DECOY_HOME}/.ssh/authorized_keys`, ""],
  ["/etc/passwd", `root:x:0:0:root:/root:/bin/bash\ndev:x:${DECOY_UID}:${DECOY_UID}:Dev:/home/dev:/bin/bash\n`],
  ["/etc/group", `root:x:0:\ndev:x:${DECOY_UID}:\n`],
  ["/etc/hosts", `127.0.0.1 localhost ${DECOY_HOST}\n::1 localhost ${DECOY_HOST}\n`],
  ["/etc/hostname", `${DECOY_HOST}\n`],
];
