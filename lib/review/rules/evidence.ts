import type { Match } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";

export const isProse = (file: ScanFile) => file.kind === "prose";
export const isRead = (file: ScanFile) => file.kind !== "binary" && file.kind !== "data";
/** A page or a template of one, whose scripts run in a browser. */
export const isPage = ({ extension }: ScanFile) =>
  /^(?:x?html?|j2|jinja2?|njk|ejs|hbs|mustache|liquid|twig|erb)$/.test(extension);
export const isSkillMd = (file: ScanFile) => file.name === "skill.md";

const NEGATED =
  /(?:\b(?:never|not|don['’]?t|avoid|refuse|instead of|rather than|bad|wrong|unsafe|insecure|prevents?|against|nunca|jamais|niemals)\b|никогда|切勿|绝不|(?:查找|排查)(?!并|后|到)(?=[^。，；：:\n]{0,60}$)|決して|절대|❌|🚫|⛔|✗)[^.\n]{0,80}$/i;
const SPOKEN_OF =
  /\b(?:malicious|attack(?:s|er|ers)?|red flags?|suspicious|detect(?:s|ed|ion|or|ors|ing)?|vulnerab\w+|exploit(?:s|ation)?|anti-?patterns?|dangerous|threats?|forbidden|prohibited|blocklist\w*|denylist\w*|blocked|denied|(?:prompt|shell|command|sql|code) injections?|unsafe|insecure|flag(?:s|ged)?|checks? for(?! (?:new|newer|updates?|available|the latest)\b)|scans? for|look(?:s|ing)? for|watch (?:out )?for|indicators?|sanitiz\w+|adversarial|penetration|pentest\w*|honeypot|false positives?)\b|❌|🚫|⛔|🔴/i;
const RULE_DATA = /\b(?:patterns?|regex|regexp|re\.compile|severity|signatures?)\b/i;
const COMMENT = /^\s*(?:#|\/\/|\*|--|;|REM\b)/i;

/**
 * Whether the text around a match warns of it, forbids it or lists it as a thing to look for, as security guides and
 * scanners do. Checks only the line and the 250 characters before it, never claims elsewhere in the file.
 */
export function isNegativeExample({ line, text, before, file, view }: Match): boolean {
  // Encoded text contains no warnings for people.
  if (view !== "source") return false;
  const around = line.replace(text, " ");
  const lineBefore = before.slice(before.lastIndexOf("\n") + 1);
  // Code is executed, so only its comments and pattern lists can be mentions.
  if (file.kind !== "prose" && !COMMENT.test(line)) return RULE_DATA.test(around);
  if (NEGATED.test(lineBefore) || SPOKEN_OF.test(around)) return true;
  return SPOKEN_OF.test(before.slice(-250)) || isNegatedHeading(before);
}

function isNegatedHeading(before: string): boolean {
  const lastLines = before.split("\n").slice(-6, -1);
  return lastLines.some((line) =>
    /^\s*(?:#{1,6}|\*\*|[-*])?.{0,20}\b(?:never|do not|don['’]t|avoid|bad|wrong|must not)\b.{0,60}:?\**\s*$/i.test(
      line,
    ),
  );
}

const ATTACKS =
  /\b(?:malicious|attack(?:s|ers?)?|adversar\w+|red flags?|vulnerab\w+|exploit(?:s|ation)?|anti-?patterns?|exfiltrat(?:ion|es)|injections?|phishing|scam(?:s|mers?)?|pentest\w*|honeypot|indicators? of)\b|❌|🚫|⛔|🔴|攻击|恶意|注入|攻撃|悪意|атак|вредонос|злоумышлен|ataques?\b|maliciós|malicios|angreifer|angriff|schadhaft|attaque|malveillan|공격|악성/i;

/** Whether a text is about attacks. Unlike `isNegativeExample`, words that lures use too (blocked, flagged, detected) do not count. */
export function speaksOfAttacks(text: string): boolean {
  return ATTACKS.test(text);
}

const ATTACKERS =
  /\b(?:malicious|attack(?:s|ers?)|adversar\w+|red flags?|anti-?patterns?|phishing|scam(?:s|mers?)?|pentest\w*|honeypot|worms?|indicators? of|for example,? an? (?:bad|hostile))\b|❌|🚫|⛔|🔴|攻击|恶意|攻撃|悪意|атак|вредонос|злоумышлен|ataques?\b|maliciós|malicios|angreifer|angriff|schadhaft|attaque|malveillan|공격|악성|saldırgan|kötü niyetli|solucan/i;

/** Whether a text is about those who attack. Unlike `speaksOfAttacks`, what a check looks for does not count. */
export function speaksOfAttackers(text: string): boolean {
  return ATTACKERS.test(text);
}

/** Hosts and paths that only the vendor can write to and that install the vendor's own tool. */
const INSTALLERS =
  /^https:\/\/(?:astral\.sh\/|sh\.rustup\.rs|deno\.land\/|bun\.(?:sh|com)\/|get\.pnpm\.io\/|brew\.sh\/|raw\.githubusercontent\.com\/(?:Homebrew\/install|nvm-sh\/nvm|helm\/helm|k3d-io\/k3d|pyenv\/pyenv-installer|ohmyzsh\/ohmyzsh|anchore\/(?:grype|syft)|aquasecurity\/trivy|golangci\/golangci-lint|rhysd\/actionlint|kubernetes-sigs\/kustomize|oven-sh\/bun|astral-sh\/uv|denoland\/deno_install|junegunn\/fzf|starship\/starship|supabase\/cli|conda-forge\/miniforge)\/|(?:www\.)?ollama\.(?:com|ai)\/|get\.docker\.com|test\.docker\.com|install\.python-poetry\.org|pyenv\.run|claude\.ai\/install|(?:cli\.)?anthropic\.com\/|fly\.io\/install|foundry\.paradigm\.xyz|starship\.rs\/|get\.sdkman\.io|deb\.nodesource\.com\/|rpm\.nodesource\.com\/|sh\.vector\.dev|install\.determinate\.systems|nixos\.org\/|tailscale\.com\/install|get\.k3s\.io|get\.helm\.sh|cli\.github\.com\/|aka\.ms\/|packages\.microsoft\.com\/|dl\.google\.com\/|sdk\.cloud\.google\.com|apt\.llvm\.org\/|volta\.sh|get\.volta\.sh|mise\.(?:run|jdx\.dev)|pixi\.sh\/|just\.systems\/|taskfile\.dev\/|get\.pulumi\.com|opencode\.ai\/install|cursor\.com\/install|(?:cli\.)?nexus\.xyz\/|release\.(?:solana|anza)\.(?:com|xyz)\/|get\.rvm\.io|rvm\.io\/|community\.chocolatey\.org\/|chocolatey\.org\/|get\.scoop\.sh|bootstrap\.pypa\.io\/|download\.pytorch\.org\/|www\.npmjs\.com\/install|toolbelt\.heroku\.com\/|cli-assets\.heroku\.com\/|sentry\.io\/get-cli|cli\.doppler\.com\/|awscli\.amazonaws\.com\/|openclaw\.(?:ai|bot)\/install|app\.warp\.dev\/|gh\.io\/copilot-install|proto\.moonrepo\.dev|moonrepo\.dev\/|linkerd\.(?:io|run)\/|istio\.io\/|wasmtime\.dev\/|rustwasm\.github\.io\/|elan\.lean-lang\.org\/|raw\.githubusercontent\.com\/leanprover\/elan\/|julialang\.org\/|install\.julialang\.org|get\.haskellup\.org|get-ghcup\.haskell\.org|dot\.net\/v1\/|dl\.k8s\.io\/|get\.jetify\.com|get\.tur\.so|modal\.com\/|railway\.(?:com|app)\/install|cli\.sentry\.dev\/|sh\.render\.com|get\.modular\.com|astro\.build\/|zed\.dev\/install|ampcode\.com\/install|aider\.chat\/install|code\.kimi\.com\/|install\.duckdb\.org|clis\.cloud\.ibm\.com\/|coder\.com\/install|cli\.inference\.sh|cli\.tavily\.com\/|clawhub\.ai\/install|cli\.nimbleway\.com\/|get\.okteto\.com|get\.please\.build|raw\.githubusercontent\.com\/(?:rtk-ai\/rtk|steveyegge\/beads|charmbracelet\/[\w-]+|evilmartians\/lefthook|jesseduffield\/lazygit|ajeetdsouza\/zoxide|tree-sitter\/tree-sitter|cli\/cli|jetpack-io\/devbox|tofuutils\/tenv|opentofu\/opentofu|terraform-linters\/tflint|infracost\/infracost|bridgecrewio\/checkov|gruntwork-io\/[\w-]+|aquaproj\/aqua-installer|daytonaio\/daytona|nektos\/act|google\/[\w.-]+|microsoft\/[\w.-]+|vercel\/[\w.-]+|cloudflare\/[\w.-]+|stripe\/[\w.-]+|Azure\/[\w.-]+|aws\/[\w.-]+)\/)/i;

/** Whether the host's name matches the skill: `https://cli.acme.example/install.sh` in `acme-search`. */
export function isNamesake(text: string, { text: whole }: ScanFile): boolean {
  const [, host, path] = /https:\/\/((?:[a-z0-9-]+\.)+[a-z]{2,})(\/[^\s"'`|]*)?/i.exec(text) ?? [];
  if (host === undefined || !/^\/?(?:install(?:er)?(?:\.sh)?|setup(?:\.sh)?|cli)?$/i.test(path ?? "")) return false;
  const label = host.split(".").at(-2)?.toLowerCase() ?? "";
  const name = /^name:[ \t]*["']?([\w-]+)/m.exec(whole.slice(0, 4_000))?.[1]?.toLowerCase() ?? "";
  return label.length >= 4 && name.split(/[-_]/).includes(label);
}

const URL_TEXT = /https?:\/\/[^\s"'`<>()[\]{}|]+/gi;

/** Whether every address in the text is an installer published by its vendor. */
export function isKnownInstaller(text: string): boolean {
  const urls = text.match(URL_TEXT) ?? [];
  return urls.length > 0 && urls.every((url) => INSTALLERS.test(url));
}

/** Whether every address in the text is local or a placeholder. */
export function isOwnOrPlaceholder(text: string): boolean {
  const urls = text.match(URL_TEXT) ?? [];
  return (
    urls.length > 0 &&
    urls.every((url) =>
      /^https?:\/\/(?:localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-])|0\.0\.0\.0(?![\w.-])|10(?:\.\d+){3}(?![\w.-])|192\.168(?:\.\d+){2}(?![\w.-])|172\.(?:1[6-9]|2\d|3[01])\.|host\.docker\.internal|\[::1\]|[a-z0-9-]+(?::\d+)?(?:\/|$)|[^/]*\.(?:local|internal|lan)(?:[:/]|$)|(?:[a-z0-9-]+\.)*your[-.]|[^/]*(?:your|<|\$|\{))/i.test(
        url,
      ),
    )
  );
}

/** Services that receive data anonymously: pastes, request catchers, tunnels, bare public addresses. */
export const SINK =
  /https?:\/\/(?:[^\s/"']*\.)?(?:webhook\.site|requestbin\.[a-z]+|requestcatcher\.com|pipedream\.net|beeceptor\.com|hookbin\.com|interact\.sh|oast\.[a-z]+|oastify\.com|burpcollaborator\.net|canarytokens\.[a-z]+|dnslog\.cn|ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|serveo\.net|loca\.lt|pastebin\.com|transfer\.sh|0x0\.st|file\.io|bashupload\.com|termbin\.com|paste\.ee|discord(?:app)?\.com\/api\/webhooks|api\.telegram\.org\/bot\d)|https?:\/\/(?!(?:127|10|0)\.|192\.168(?:\.\d+){2}(?![\w.-])|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|1\.1\.1\.1|8\.8\.|1\.2\.3\.4)\d{1,3}(?:\.\d{1,3}){3}/i;

/** Answers about the file that is scanned: those of 10,000 files would take tens of megabytes. */
let known: { file: ScanFile | null; tried: Map<string, boolean> } = { file: null, tried: new Map() };

/** Whether a file contains a pattern. Each pattern is tried once while its file is scanned. */
export function has(file: ScanFile, pattern: RegExp): boolean {
  if (known.file !== file) known = { file, tried: new Map() };
  const { tried } = known;
  const found = tried.get(pattern.source) ?? pattern.test(file.text);
  tried.set(pattern.source, found);
  return found;
}

/** The place of the first of several patterns, when the file contains all of them. */
export function findAll(file: ScanFile, parts: RegExp[]) {
  const [first] = parts;
  if (first === undefined || !parts.every((part) => has(file, part))) return [];
  const match = first.exec(file.text);
  return match === null ? [] : [{ start: match.index, end: match.index + match[0].length }];
}

export function around({ before, text, after }: Match): string {
  return `${before}${text}${after}`;
}

/** A program that asks before it acts, or only shows what it would do. */
export const ASKS =
  /\bread\s+(?:-\w{1,4}\s+){0,3}-\w{0,3}p\b|\[y\/n\]|\binput\(|\bconfirm\(|\.question\(|\bRead-Host\b|--dry-?run\b|\bDRY_RUN\b|\binquirer\b|\bprompts\(|\bSupportsShouldProcess\b|\bSTDIN\.gets\b|\breadline\(|bufio\.NewReader\(os\.Stdin/i;

/** Whether a match is a command: a script, settings, code of a page, or its indented lines. */
export function isCommand({ file, inCode, line }: Match): boolean {
  return (
    file.kind === "script" || file.kind === "config" || (file.kind === "prose" && (inCode || /^(?: {4}|\t)/.test(line)))
  );
}
