import { HOLE, type Label } from "./values";

const AWS = ["amazonaws.com", "amazonaws.com.cn", "aws.amazon.com", "api.aws"];
const AZURE =
  `azure.com microsoft.com microsoftonline.com windows.net azure.net azurecr.io azurewebsites.net azure-api.net
  azure.us visualstudio.com office.com live.com windows.com azuredatabricks.net dynamics.com sharepoint.com`.split(
    /\s+/,
  );
const GITHUB = ["github.com", "githubusercontent.com", "githubcopilot.com", "github.ai", "ghcr.io", "ghe.com"];
const GOOGLE = ["google.com", "googleapis.com", "pkg.dev", "gcr.io", "cloudfunctions.net"];

/** Files that hold secrets, with the hosts that may receive their contents. */
const FILES: [RegExp, string[]][] = [
  [/(?:^|[/\\~])\.ssh(?:[/\\](?!known_hosts|config\b|authorized_keys)|$)/, []],
  [/(?:^|[/\\])id_(?:rsa|ed25519|ecdsa|dsa)(?:$|[^.\w-])/, []],
  [/\.gnupg\b|secring\.gpg|\.password-store\b/, []],
  [/\.aws(?:[/\\]credentials|[/\\]?$|[/\\][*\uE000])/, ["amazonaws.com", "amazonaws.com.cn"]],
  [
    /\.kube(?:[/\\]config|[/\\]?$)|serviceaccount[/\\]token\b|etc[/\\]kubernetes[/\\]admin\.conf/,
    ["kubernetes.default.svc", "cluster.local"],
  ],
  [/\.docker[/\\]config\.json/, ["docker.com", "docker.io"]],
  [/gcloud(?:[/\\](?:application_default_credentials|credentials|access_tokens|legacy_cred)|[/\\]?$)/, GOOGLE],
  [/\.azure(?:[/\\](?:accessTokens|msal_token|azureProfile)|[/\\]?$)/, AZURE],
  [/\.netrc\b|\.git-credentials\b|\.pgpass\b|\.vault-token\b|rclone[/\\]rclone\.conf|\.m2[/\\]settings\.xml/, []],
  [/\.terraform\.d[/\\]credentials|\.cargo[/\\]credentials/, ["terraform.io", "crates.io"]],
  [/\.npmrc\b/, ["npmjs.org", "npmjs.com", "npm.pkg.github.com"]],
  [/\.pypirc\b/, ["pypi.org"]],
  [/gh[/\\]hosts\.yml/, GITHUB],
  [/\.(?:bash|zsh|sh|python|node_repl|psql|mysql)_history\b|fish_history\b|ConsoleHost_history/, []],
  [/^\/etc\/(?:shadow|gshadow|master\.passwd)\b|^\/proc\/(?:self|\d+|\uE000|\$\w+)\/environ/, []],
  [/\.claude[/\\](?:\.credentials|projects\b|history\.jsonl)|\.claude\.json|\.codex[/\\]auth\.json/, []],
  [
    /\.gemini[/\\]oauth_creds|\.cursor[/\\]mcp|globalStorage[/\\]state\.vscdb|claude_desktop_config|github-copilot[/\\](?:hosts|apps)/,
    [],
  ],
  [
    /com\.vercel\.cli[/\\]auth|\.netlify[/\\]config|\.supabase[/\\]access|\.fly[/\\]config|\.databrickscfg|\.oci[/\\]config|\.s3cfg|\.boto\b/,
    [],
  ],
  [
    /\.(?:cache[/\\])?huggingface[/\\]token|\.yarnrc\.yml|\.gem[/\\]credentials|\.composer[/\\]auth|\.my\.cnf|sops[/\\]age|wg\d*\.conf$/,
    [],
  ],
  [
    /\.tfstate\b|\.tfvars\b|service-?account[\w*-]*\.json|\.(?:kdbx|p12|pfx|jks|ovpn|mobileconfig)\b|(?:^|[/\\*])\*\.(?:pem|key)\b/i,
    [],
  ],
  [
    /Telegram Desktop|[/\\]tdata\b|discord[/\\]Local Storage|Slack[/\\](?:storage|Local Storage)|Signal[/\\](?:config|sql)|Messages[/\\]chat\.db|NoteStore\.sqlite/i,
    [],
  ],
  [/filezilla[/\\](?:recentservers|sitemanager)|WinSCP\.ini|\.config[/\\]op\b|1Password|Bitwarden[/\\]data\.json/i, []],
  [/\b(?:MEMORY|SOUL|USER)\.md$|openclaw\.json|clawdbot\.json|\.openclaw[/\\](?:credentials|identity|\.env)/, []],
  [/Login Data|Local State|key4\.db|logins\.json|cookies\.sqlite|[/\\]Cookies$|Network[/\\]Cookies/, []],
  [
    /wallet\.dat|exodus\.wallet|electrum[/\\]wallets|\.config[/\\]solana|\.ethereum[/\\]keystore|nkbihfbeogaeaoehlefnkodbefgpgknn|bfnaelmomeimhlpmgjnjophhpkkoljpa|ledger live|atomic[/\\]Local Storage|Coinomi|Guarda|trezor suite|\*\.wallet\b|wallets?\*/i,
    [],
  ],
  [/login\.keychain|\.keychain-db|Library[/\\]Keychains|kwallet|keyrings[/\\]/, []],
];
const NAMED_KEYS =
  /(?:^|[/\\])[\w.-]{0,40}(?:mnemonic|seed[_-]?(?:phrase|words)|recovery[_-]?(?:phrase|key|words)|private[_-]?key)[\w-]{0,20}(?:\.(?:txt|json|key|pem|bak|enc))?$/i;
const DOTENV = /(?:^|[/\\\uE000])\.env\*?(?:\.(?!example|sample|template|dist|test)[\w.-]+)?$/;

/** Variables whose name says that they hold a secret. */
const SECRET_NAME =
  /(?:^|_)(?:API_?KEY|SECRET|TOKEN|PASSWORD|PASSWD|PRIVATE_?KEY|ACCESS_?KEY(?!_ID)|CREDENTIALS?|MNEMONIC|SEED_PHRASE|PAT)(?:$|_|S$)|_KEY$/i;

/** Services by the beginning of their variables, with the domains that may receive these. */
const SERVICES: [RegExp, string[]][] = [
  [/^ANTHROPIC|^CLAUDE/, ["anthropic.com", "claude.ai", "claude.com"]],
  [/^OPENAI/, ["openai.com", "chatgpt.com"]],
  [/^AWS_/, AWS],
  [/^(?:GITHUB|GH)_/, GITHUB],
  [/^GITLAB/, ["gitlab.com"]],
  [/^(?:GOOGLE|GEMINI|GCP|GCLOUD)/, GOOGLE],
  [/^AZURE/, AZURE],
  [/^STRIPE/, ["stripe.com"]],
  [/^NPM/, ["npmjs.org", "npmjs.com", "npm.pkg.github.com"]],
  [/^(?:HF|HUGGING)/, ["huggingface.co", "hf.co", "huggingface.cloud", "hf.space"]],
  [/^SLACK/, ["slack.com"]],
  [/^DISCORD/, ["discord.com", "discordapp.com"]],
  [/^(?:TELEGRAM|TG)_/, ["telegram.org", "t.me"]],
  [/(?:^|_)BOT_TOKEN$/, ["telegram.org", "discord.com", "discordapp.com", "slack.com"]],
  [/^CLOUDFLARE|^CF_/, ["cloudflare.com"]],
  [/^TWILIO/, ["twilio.com"]],
];
/** Words before the name of a service. */
const BEFORE =
  /^(?:(?:MY|OUR|THE|APP|PROD|PRODUCTION|LIVE|DEV|TEST|STAGING|COMPANY|TEAM|USER|CI|DEFAULT)_)+(?=[A-Z]+_)/;
/** A whole name of a key that works at its service only; not of a token that is made for any host. */
const ONE_SERVICE =
  /^(?:ANTHROPIC|CLAUDE|OPENAI|AWS|GITHUB|GH|GITLAB|STRIPE|NPM|HF|HUGGING_?FACE(?:HUB)?|SLACK|DISCORD|TELEGRAM|CLOUDFLARE|TWILIO|GEMINI|GOOGLE(?=_API_?KEY))(?:_(?:API|KEY|TOKEN|SECRET|ACCESS|PAT|PERSONAL|ADMIN|ORG|BOT|APP|USER|AUTH|OAUTH|LIVE|TEST|CODE|CLIENT|SESSION|PRIVATE|APIKEY))+$/;

/** Commands that print a secret. */
const COMMANDS: [RegExp, Label["kind"], string[]][] = [
  [/^gh auth token/, "store", GITHUB],
  [
    /^gcloud auth (?:application-default )?print-(?:access|identity)-token/,
    "store",
    [...GOOGLE, "run.app", "appspot.com"],
  ],
  [/^aws (?:configure (?:get|export-credentials)|sts (?:get-session-token|assume-role))/, "store", AWS],
  [/^aws iam create-(?:access-key|login-profile)/, "store", AWS],
  [/^az account get-access-token/, "store", AZURE],
  [/^security (?:dump-keychain|find-internet-password|export)|^security find-generic-password.*chrome/i, "file", []],
  [
    /^security find-generic-password|^secret-tool lookup|^pass (?:show|\w+\/)|^op (?:read|item get)|^bw get|^lpass show/,
    "variable",
    [],
  ],
  [
    /^kubectl (?:get|describe) secrets?\b|^kubectl config view --raw|^vault kv get/,
    "store",
    ["kubernetes.default.svc", "cluster.local"],
  ],
  // One secret by its name is for the service it belongs to; a computed name is one of all.
  [
    /^aws secretsmanager (?:batch-)?get-secret-value(?=.*--secret-id(?:-list)? (?: |\uE000|-))|^aws ssm get-parameters-by-path/,
    "store",
    [],
  ],
  [
    /^aws (?:secretsmanager get-secret-value|ssm get-parameter)|^gcloud secrets versions access|^az keyvault secret (?:show|download)/,
    "variable",
    [],
  ],
  [/^(?:pbpaste|wl-paste|xclip .*-o|xsel .*-o)/, "variable", []],
  [/^git credential(?:-\w+)? (?:fill|get)/, "store", []],
  [/^(?:trufflehog|gitleaks|noseyparker) /, "file", []],
  [/^gpg .*--export-secret|^wg showconf|^doppler secrets|^heroku config/, "file", []],
  [
    /^(?:printenv|env|set|export -p|declare -x|declare -p|compgen -[ev])(?: -0| --null)?$|^(?:gci|dir|get-childitem) env:/i,
    "environment",
    [],
  ],
  [/^history\b|^fc -l/, "file", []],
  [
    /^find .*(?:id_(?:\*|rsa|ed25519)|\*\.(?:pem|kdbx|key)\b|\.env\b|\.(?:ssh|aws|gnupg)\b|wallet|keystore|\.kdbx|\.tfstate|\.p12|\.ovpn|credentials|serviceAccount|Exodus|Electrum)/i,
    "file",
    [],
  ],
];

/** The label of a file's contents; null when the path is no place of secrets. */
export function secretFile(path: string): Label | null {
  const name = path.replace(/^["']|["']$/g, "").replace(/^@/, "");
  if (name.length > 400 || /\.pub$|\.pub["']?$|_example|\.example$/.test(name)) return null;
  for (const [pattern, owners] of FILES) if (pattern.test(name)) return { kind: "file", name: shown(name), owners };
  return DOTENV.test(name) || NAMED_KEYS.test(name) ? { kind: "file", name: shown(name), owners: [] } : null;
}

const PICTURE =
  /^["'@]?(?:if=)?[^\s"'=:;|]{1,200}\.(?:a?png|jpe?g|jpe|gif|webp|wav|avi|bmp|ico|cur|m[ok]v|mp[34]|m4[av]|hei[cf]|avif|aac|og[gav]|opus|flac|webm|pdf|xls|ppt|tt[fc]|otf|woff2?|tiff?|dng|parquet|npy)["']?$/i;
const PICTURE_LABEL: Label = { kind: "picture", name: "what a picture or document holds", owners: [] };

/** The label of what a picture, sound, font or document holds, by its name; no labels for other files. */
export function pictureIn(texts: readonly string[]): readonly Label[] {
  return texts.some((text) => PICTURE.test(text)) ? [PICTURE_LABEL] : [];
}

/** All of the user's files, or of the main folders or disks; null for a path inside them. */
export function homeFiles(paths: readonly string[]): Label | null {
  const home = paths.find((path) =>
    /^(?:~|\/home(?:\/\w+)?|\/Users(?:\/\w+)?|\/root|\/mnt|\/media|\/Volumes|\/|[A-Z]:[\\/]*)\/?(?:(?:Documents|Desktop|Downloads|Pictures|Music|Videos|Movies)\/?)?(?:\/?\*{1,2})?(?:\/\*)?$/.test(
      path,
    ),
  );
  return home === undefined ? null : { kind: "file", name: `files of ${shown(home)}`, owners: [], isHome: true };
}

/** Whether a text names endings of documents of several kinds, as what encrypts or removes the work of a user does. */
export function areDocuments(text: string): boolean {
  const found = new Set(text.match(/\b(?:docx?|xlsx?|pptx?|pdf|odt|jpe?g|png|mp4|sql|kdbx|psd|wallet)\b/gi));
  return found.size > 1 && [...found].some((ending) => /^(?:doc|xls|ppt|pdf|odt)/i.test(ending));
}

export function secretFileIn(texts: readonly string[]): Label | null {
  for (const text of texts) {
    const label = secretFile(text);
    if (label !== null) return label;
  }
  return null;
}

/** The label of an environment variable; null when its name is no secret's. */
export function secretVariable(name: string): Label | null {
  if (!SECRET_NAME.test(name) || name.length > 80 || /WEBHOOK|_URL$|PUBLIC|TOKENS$|MAX_|_ID$/i.test(name)) return null;
  const plain = name.toUpperCase().replace(BEFORE, "");
  const owners = SERVICES.find(([pattern]) => pattern.test(plain))?.[1] ?? [];
  return { kind: "variable", name, owners, ...(ONE_SERVICE.test(plain) && { isOwnersOnly: true as const }) };
}

/** The label of a command's output; null when it prints no secret. */
export function secretCommand(words: string): Label | null {
  for (const [pattern, kind, owners] of COMMANDS)
    if (pattern.test(words))
      return { kind, name: shown(words), owners, ...(owners === GITHUB && { isOwnersOnly: true as const }) };
  return null;
}

/** What a cloud tells a machine of itself, without credentials: its kind, place, names, and the token for asking. */
const OPEN_METADATA =
  /^(?:https?:\/\/)?[\w.:[\]-]+\/(?:latest\/api\/token|(?:latest\/meta-data|computeMetadata\/v1\/instance)\/(?:ami-id|hostname|id|instance-(?:id|type)|local-(?:hostname|ipv4)|mac|machine-type|name|placement\/[\w-]+|public-(?:hostname|ipv4)|tags\/instance\/?[\w-]*|zone))$/;

/** Addresses that answer with credentials of the machine. */
export function secretAddress(text: string): Label | null {
  if (OPEN_METADATA.test(text)) return null;
  return /169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|100\.100\.100\.200|fd00:ec2::254/.test(text)
    ? { kind: "file", name: "the cloud metadata service", owners: [] }
    : null;
}

/** An address in a comment, and a clipboard into which a text is put: what any small library of a page has. */
const MENTIONS = /(^[ \t]*(?:\/[*/]|\*|#)[^\n]{0,300}?)https?:\/\/\S+/gm;
const READS_CLIPBOARD =
  /\breadText|clipboardy?\.(?:read|paste|get)|getData\b|\bpaste\b|clipboard_get|[gG]et-?Clipboard|pbpaste|pyperclip|xclip|wl-paste|xsel\b/;

/** A script without what only speaks of a network or a clipboard. */
export function withoutMentions(text: string): string {
  const own = text.replace(MENTIONS, "$1");
  return READS_CLIPBOARD.test(own) ? own : own.replace(/clipboard/gi, "");
}

function shown(text: string): string {
  return text.replaceAll(HOLE, "…").slice(0, 80);
}
