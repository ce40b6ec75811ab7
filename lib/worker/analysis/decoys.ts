import { randomBytes } from "node:crypto";

/** The home of every dry run; a file system of its own that ends with it. */
export const DECOY_HOME = "/home/dev";

/** Of the user in its list of users, where the run has none. */
export const DECOY_UID = 1000;

/**
 * A planted secret: `token` is its part that no other text contains. `path` is null for a variable. `isDocument`: an ordinary file
 * of the user that the skill names, which may be read and changed, but not leave.
 */
export type Canary = { name: string; token: string; path: string | null; isDocument?: true };

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

/**
 * New secrets for one analysis: those that developers have, the variables `env` and the files `paths` (absolute or below
 * `~/`) that the skill asks for. Every value is random, so that it is worth nothing and found in no other text.
 */
export function createDecoys(wanted: { env: string[]; paths: string[] } = { env: [], paths: [] }): Decoys {
  const canaries: Canary[] = [];
  const files: DecoyFile[] = [];
  const plant = (path: string, value: string, content: (value: string) => string) => {
    canaries.push({ name: path.replace(DECOY_HOME, "~"), token: value, path });
    files.push({ path, mode: "0600", content: content(value) });
  };
  // A file where another one needs a folder would keep every step from starting.
  const isFree = (path: string) => files.every((file) => !clashes(file.path, path));
  const plantDocument = (path: string, text: string) => {
    plant(path, token(32), (value) => `${text}${value}\n`);
    const planted = canaries.at(-1);
    if (planted !== undefined && isDocument(path)) planted.isDocument = true;
  };
  const home = (path: string) => `${DECOY_HOME}/${path}`;
  for (const [path, value, content] of homeSecrets()) plant(home(path), value, content);
  plant("/etc/shadow", token(43), (value) => `root:$6$kq1$${value}:19700:0:99999:7:::\n`);
  plant("/run/secrets/kubernetes.io/serviceaccount/token", token(60), (value) => `eyJhbGciOiJSUzI1NiJ9.${value}.c2ln`);
  const plantable = wanted.paths.flatMap((asked) => plantablePath(asked) ?? []);
  const folders: string[] = [];
  for (const asked of mostWorthwhileFirst(plantable).slice(0, MAX_PATHS)) {
    // A name without an ending is that of a folder, unless people keep secrets under it.
    const isFile = /[^/.]\.\w{1,8}$/.test(asked) || SECRET_NAMES.test(asked) || asked.startsWith("/run/");
    if (!isFile && isDocument(asked)) folders.push(asked);
    const path = isFile ? asked : `${asked}/notes.txt`;
    if ((isFile || isDocument(asked)) && isFree(path)) plantDocument(path, "");
  }
  const unnamed = DOCUMENTS.map(([path, text]) => [home(path), text] as const).filter(([path]) => isFree(path));
  for (const [path, text] of unnamed) plantDocument(path, text);
  const plain = PLAIN_FILES.filter(([path]) => isFree(path));
  for (const [path, content] of plain) files.push({ path, mode: "0644", content });

  const env: Record<string, string> = {};
  const asked = mostWorthwhileFirst(wanted.env.filter(isPlantable));
  const names = [...COMMON_VARIABLES.keys(), ...asked.slice(0, MAX_WANTED)];
  for (const name of new Set(names)) {
    const value = token(36);
    env[name] = `${COMMON_VARIABLES.get(name) ?? ""}${value}`;
    canaries.push({ name: `$${name}`, token: value, path: null });
  }
  const documents = [...unnamed, ...plain]
    .map(([path]) => path)
    .filter((path) => path.startsWith(DECOY_HOME) && !folders.some((folder) => path.startsWith(`${folder}/`)));
  return { canaries, env, files, documents };
}

/** Names of what is worth stealing, which are planted before others. */
const WORTHWHILE = /KEY|TOKEN|SECRET|PASS|PWD|CRED|AUTH|URL|URI|DSN|WEBHOOK|MNEMONIC|PRIVATE/i;

function mostWorthwhileFirst(names: readonly string[]): string[] {
  return names.toSorted((a, b) => Number(WORTHWHILE.test(b)) - Number(WORTHWHILE.test(a)));
}

const COMMON_VARIABLES = new Map([
  ["AWS_SECRET_ACCESS_KEY", ""],
  ["GITHUB_TOKEN", "ghp_"],
  ["OPENAI_API_KEY", "sk-proj-"],
  ["ANTHROPIC_API_KEY", "sk-ant-api03-"],
  ["NPM_TOKEN", "npm_"],
  ["DATABASE_PASSWORD", ""],
]);

function isPlantable(name: string): boolean {
  const isFree = !OWN_VARIABLES.has(name) && !isSetting(name);
  return /^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name) && isFree;
}

/** What interpreters and tools read themselves: a secret there would end the program before it did anything, or divert its calls. */
function isSetting(name: string): boolean {
  return /_proxy$/i.test(name) || (SETTINGS.test(name) && !/TOKEN|KEY|SECRET|PASS|CRED/i.test(name));
}

const SETTINGS =
  /^_?(?:AWS_|LD_|DYLD_|IFS$|ENV$|PS\d|BASH|BUN_|BUNDLE_|CURL_|DENO_|GCONV_|GEM_|GIT_|GLIBC_|GODEBUG|GOFLAGS|GOPATH|GOPROXY|GOROOT|JAVA|JDK_|LANG|LC_|LOCPATH|MALLOC_|NODE|NPM_|OPENSSL_|PERL|PIP_|PYTHON|RUBY|SSL|TZ$|TZDIR|UV_|WGET)/i;

const OWN_VARIABLES = new Set(["HOME", "TMPDIR", "SHLVL", "PATH", "USER", "LOGNAME", "PWD", "LANG", "TERM"]);

/** Absolute path of a file that may be planted: in the home, or where programs keep secrets. */
function plantablePath(asked: string): string | null {
  const path = asked.replace(/^(~|\$HOME|\$\{HOME\})\//, `${DECOY_HOME}/`);
  const isPlain = /^\/[A-Za-z0-9 ._/-]{1,189}$/.test(path) && !/\/(\.{0,2}\/|\.{0,2}$)/.test(path);
  const isKnown = [`${DECOY_HOME}/`, "/run/secrets/", "/var/run/secrets/"].some((dir) => path.startsWith(dir));
  return isPlain && isKnown ? path.replace(/^\/var\/run\//, "/run/") : null;
}

const SECRET_NAMES =
  /wallet|seed|mnemonic|passw|secret|credential|token|\bkeys?\b|kdbx|\.(?:pem|key|p12|pfx|jks|gpg)$|id_/i;

function isDocument(path: string): boolean {
  const inside = path.startsWith(`${DECOY_HOME}/`) ? path.slice(DECOY_HOME.length + 1) : ".";
  return !inside.split("/").some((part) => part.startsWith(".")) && !SECRET_NAMES.test(inside);
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
    [".docker/config.json", token(40), (value) => `{"auths":{"registry.corp.example":{"auth":"${value}"}}}\n`],
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
  ["/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n"],
  ["/etc/hostname", "build-7\n"],
];
