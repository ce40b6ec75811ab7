import { isInRanges, type Range, type ScanFile } from "../scan/scan-file";
import { followLines } from "./line-flow";
import { isDataCut } from "./linked-files";
import { type Flow, openProgram, type Program } from "./program";
import { withoutMentions } from "./secret-places";
import { followShell } from "./shell-flow";
import { mayLeak } from "./tree-documents";
import { followTree } from "./tree-flow";

export type Language = "shell" | "python" | "javascript" | "lines";

/**
 * `written` is what a script keeps in files. `complete` is false when a script or the files that it names are larger or more than what is followed, or take more steps.
 * `isAlone`: only files that it names were left out.
 */
export type Flows = { flows: Flow[]; complete: boolean; isAlone?: true; written?: Program["files"] };

/** Characters of a script. Larger ones are bundles, which patterns alone examine. */
export const MAX_SCRIPT_CHARS = 200_000;

const LANGUAGES: [RegExp, Language][] = [
  [/^(?:sh|bash|zsh|ksh|dash|shell|command|bats|console|shell-session|terminal|shellscript)$/, "shell"],
  [/^(?:py|pyw|python[\d.]*|ipython)$/, "python"],
  [/^(?:js|mjs|cjs|ts|mts|cts|jsx|tsx|javascript|typescript|node|deno|bun)$/, "javascript"],
  [/^(?:ps1|psm1|powershell|pwsh|bat|cmd|rb|ruby|pl|perl|php|go|golang|lua)$/, "lines"],
];

const TALKS =
  /curl|wget|http|fetch|\bnc\b|ncat|netcat|socket|\bdns\b|\bdig\b|nslookup|smtp|\bmail|ftp|ssh|scp|rsync|rclone|git\s+push|\bgh\b|\bgsutil\b|\baws\b|axios|request|urlopen|\/dev\/tcp|telnet|socat|sendBeacon|\.src\b|boto3|paramiko|webhook|telegram|slack|discord|\bgot\b|\bws\b|\bping\b|\bhost\b|\bnet\b|sendmail|location|s3\b|octokit|upload|pipeline|cloudflared|getBlobClient|put_object|mqtt|mosquitto|redis|mongo|\bnio\b|matrix|ipfs|kubo|nostr|mastodon|tweepy|atproto|pastebin|\bgist\b|firebase|supabase|kafka|kcat|git\s+remote|\/inet\/|docker\s+run|podman\s+run/i;
/** Places of secrets, and the environment as a whole; one variable of it is `os.environ["X"]` or `process.env.X`. */
export const HOLDS =
  /Keypair|eth_account|[mM]nemonic|[pP]rivate_?[kK]ey\b|secretKey|keytar|get_credentials|ProviderChain|UnprotectData|id_\*|\*\.(?:pem|kdbx|key)\b|\.ssh|\.aws|\.kube|\.gnupg|id_rsa|id_ed25519|netrc|npmrc|pypirc|pgpass|git-credentials|_history|\bhistory\b|shadow|wallet|[cC]ookie|Storage\b|Login Data|Local State|key4|logins\.json|cookies\.sqlite|\.claude|\.codex|openclaw\.json|clawdbot\.json|kwallet|keyrings|kubernetes|vault-token|\.terraform\.d|\.cargo|settings\.xml|rclone\.conf|compgen|keychain|keyring|security\s|secret-tool|metadata\.|169\.254|serviceaccount|hosts\.yml|gcloud|\.azure|\.docker|MEMORY|SOUL|solana|keystore|Exodus|electrum|\.env\b|\/environ|environ(?!\s*(?:\[|\.get\b|\.setdefault\b|ment))|process\.env(?![.[]\w|\["|\[')|toObject|(?:\b(?:gci|dir|ls)|Item)\s+[eE]nv:|\bENV\.|%ENV|\$_ENV|getenv\(\)|os\.Environ\(\)|EnvironmentVariables|\bprintenv\b|\benv\b(?!\.)|\bset\s*\||export -p|declare -|auth token|print-\w+-token|get-access-token|tfstate|[cC]lipboard|pyperclip|pbpaste|xclip|wl-paste|tdata|Telegram|oauth_creds|vscdb|filezilla|secretsmanager|get_secret|get_parameter|access_secret|credential fill|trufflehog|gitleaks|\.wallet|kubectl|create-access-key|create-login-profile|list\w*[sS]ecret|exportConfig|vault|\bpass\s|\bop\s|homedir|Path\.home|expanduser|Extension Settings|IndexedDB|leveldb|-v\s+["']?(?:~|\$HOME)/;
/** Key files, for which no word of a transfer is asked in a script: it may be built of parts. */
const KEY_FILES = /\.ssh\b|id_rsa|id_ed25519|\.aws\b|\.gnupg|netrc|\.npmrc|git-credentials|wallet\.dat|Login Data/;
const RUNS =
  /RtlMoveMemory|WriteProcessMemory|\b(?:eval|exec|Function|compile|[sS]cript[bB]lock|Assembly|memfd_create|iex|Invoke-Expression|instance_eval|Add-Type|vm|popen|subprocess|child_process|spawn|execSync|exec_module|run_path|load_source|import(?=\s*\()|c?[pP]ickle|dill|marshal)\b|os\.system|\b(?:ba|z|da)?sh (?:-\w+ )*-?\w*c\b|mktemp|tmpdir|gettempdir|\/tmp\/\.|\/dev\/shm|:\s*\$\(|\bnohup\b|\bsetsid\b|\bunzip\b|<<<|\btxt\b|\bTXT\b|_compile\b|\bLD_PRELOAD\b|(?:echo|printf)\s[^\n|]{0,80}\|\s*(?:ba|z|da)?sh\b|\bStart-Process\b/;
const DESTROYS =
  /rmtree|unlink|rmSync|os\.remove|write_bytes|urandom|randomBytes|\bshred\b|\bwipefs\b|\bdd\s|\brm\s+-\w*[rR]|\bopenssl\s+enc\b|\bgpg2?\s+-|\bage\s+-|blkdiscard|mkfs|luksErase|-delete\b|-exec\s+\S{0,20}(?:rm|shred|(?:ba)?sh)\b|open\w*\(["']w/;
const ALL_FILES =
  /homedir|Path\.home|expanduser|HOME\b|lsblk|\/dev\/sd|\/Volumes|\/mnt\b|\bblkid\b|\bfind\s+["']?(?:~|\/(?:\s|home|Users))|\bin\s+~\/|USERPROFILE/;
/** Keys of known services, which other hosts must not get; any key where a name server or a chat is told. */
const SERVICE_KEYS =
  /(?:ANTHROPIC|CLAUDE|OPENAI|AWS|GITHUB|GH|GITLAB|GOOGLE|GEMINI|AZURE|STRIPE|NPM|HF|HUGGING\w*|SLACK|DISCORD|TELEGRAM|CLOUDFLARE|CF|TWILIO)_\w*(?:KEY|TOKEN|SECRET|PASS)/;
const ANY_KEY = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|MNEMONIC)\b/i;
const TELLS =
  /\bdig\b|nslookup|gethostby|getaddrinfo|\bdns\b|webhook|telegram|discord|hooks\.slack|ngrok|pastebin|webhook\.site|\d+\.\d+\.\d+\.\d+/i;

const PICTURES =
  /\w[*"']{0,2}\.(?:png|jpe?g|gif|webp|wav|avi|bmp|ico|mp[34]|m4[av]|mov|hei[cf]|avif|og[gav]|opus|flac|webm|mkv|pdf|tt[fc]|otf|woff2?|tiff?|npy)\b|\*\.(?:png|jpe?g|gif|ico|pdf|ttf|woff2?)\b/;
/** Interpreters and calls that may get a picture: a command of a shell, or code and commands made of text. */
const RUNS_PICTURES =
  /(?:^|[\s;&|(\x60])(?:\.|source|eval|(?:ba|z|da|k)?sh|python[\d.]*|node|perl|ruby|php)\s+(?:-\w+\s+)*["']?[$./~\w]|\b(?:os\.system|popen|subprocess|child_process|exec\w*Sync|execSync|runpy|run_path)\b|(?<![.\w])(?:exec|eval|Function)\s*\(|\brunIn\w*Context\b/m;

/** A text that is decoded, and calls that run one. */
const DECODES =
  /b64decode|b85decode|a85decode|fromhex|unhexlify|\bdecompress\b|(?:inflate|gunzip|unzip|Decompress)\w*Sync|fromCharCode|\bchr\(|\.chr\b|decode64|\bZlib\b|gzinflate|base64_decode|FromBase64String|-bxor|base64\s+(?:-\w*[dD]\b|--decode)|\bgunzip\b|\bzcat\b|xxd\s+-\w*r/;
const RUNS_DECODED =
  /(?<![.\w])(?:exec|eval|Function|execfile)\s*\(|\bos\.(?:system|popen)\b|subprocess|child_process|\b_compile\b|\bvm\.\w|\b(?:system|eval|instance_eval)[\s(]|\biex\b|Invoke-Expression|(?:[|;&]|^)[ \t]{0,40}(?:ba|z|da)?sh\s|(?:[;&]|^)[ \t]{0,40}(?:source|\.)\s/m;

const JOINS = /\w["']\s?\+\s?["']\w/;
const JOINS_ALL = /["']\s?\+\s?["']/g;

const answers = new WeakMap<ScanFile, boolean>();

/** Whether a file can have a finding of values at all: a cheap test before its scripts are parsed. */
export function mayFlow(file: ScanFile): boolean {
  const known = answers.get(file) ?? hasWords(file);
  answers.set(file, known);
  return known;
}

const tried = new WeakMap<object, Map<RegExp, boolean>>();

/** Whether a file that others name has some words; each is looked for once. */
export function contains(file: Pick<ScanFile, "text">, pattern: RegExp): boolean {
  const known = tried.get(file) ?? new Map<RegExp, boolean>();
  tried.set(file, known);
  const found = known.get(pattern) ?? pattern.test(file.text);
  known.set(pattern, found);
  return found;
}

/** Whether a file has words of a transfer. */
export function speaks(file: Pick<ScanFile, "text">): boolean {
  return contains(file, TALKS);
}

type Words = Pick<ScanFile, "text" | "linked" | "unlinked">;

function hasWords({ text, kind, linked = [], unlinked = [] }: Words & Pick<ScanFile, "kind">): boolean {
  if (kind === "binary" || kind === "data") return false;
  // Names in parts: `"url" + "open"`.
  let joined: string | undefined;
  const inParts = () => (joined ??= kind === "script" && JOINS.test(text) ? text.replaceAll(JOINS_ALL, "") : "");
  const has = (pattern: RegExp) =>
    pattern.test(text) ||
    (inParts() !== "" && pattern.test(inParts())) ||
    linked.some((file) => contains(file, pattern)) ||
    unlinked.some((file) => contains(file, pattern));
  if (kind === "script" && has(DESTROYS) && has(ALL_FILES)) return true;
  if (kind === "script" && has(KEY_FILES)) return true;
  if (kind === "script" && PICTURES.test(text) && RUNS_PICTURES.test(text)) return true;
  if (!has(TALKS)) return kind === "script" && RUNS_DECODED.test(text) && DECODES.test(text);
  if (kind === "script" && mayLeak(text)) return true;
  return has(HOLDS) || has(RUNS) || has(SERVICE_KEYS) || (has(ANY_KEY) && has(TELLS));
}

/** Follows the values of every script in a file: the file itself, or the code blocks of a Markdown file. */
export function findFlows(file: ScanFile): Flows {
  const { linked = [], unlinked = [] } = file;
  if (!mayFlow(file)) return { flows: [], complete: true };
  if (file.isBeyondFollowing) return { flows: [], complete: false };
  const scripts = scriptsOf(file).filter(
    (script) => file.kind !== "prose" || hasWords({ text: script.text, kind: "script", linked }),
  );
  const program = openProgram(linked, file.text);
  const add = (script: Script, from: Program, placeOf?: PlaceOf) => followAt(script, from, program.flows, placeOf);
  // Line by line, a program has a number of lines of some length.
  const tooLong = new Set<Script>();
  const isSmall = (script: Script) => script.text.length <= MAX_SCRIPT_CHARS;
  for (const script of scripts.filter(isSmall)) {
    if (program.steps.left <= 0) break;
    add(script, program);
    if (program.steps.isLong) tooLong.add(script);
    delete program.steps.isLong;
  }
  const isFollowed = program.steps.left > 0;
  const unfollowed = scripts.filter((script) => !isFollowed || !isSmall(script) || tooLong.has(script));
  const again = openProgram(linked);
  for (const script of unfollowed) {
    if (again.steps.left <= 0) break;
    const { text: parts, placeOf } = partsWithWords(script.text);
    if (parts !== script.text) add({ ...script, text: parts }, again, placeOf);
  }
  const isWhole = unfollowed.length === 0 && !program.steps.isCut;
  const isJoined =
    !isDataCut(linked) &&
    (unlinked.length === 0 || (file.kind === "prose" && !scripts.some((script) => takesWith(script.text, unlinked))));
  return {
    flows: program.flows.sort((a, b) => a.start - b.start),
    complete: isWhole && isJoined,
    written: program.files,
    ...(isWhole && !isJoined && { isAlone: true as const }),
  };
}

type PlaceOf = (offset: number) => number;

/** Follows a part of a file, and gives its findings their places in the file. */
export function followAt(
  { language, start, text }: Script,
  from: Program,
  flows = from.flows,
  placeOf: PlaceOf = (at) => at,
) {
  const inner: Program = { ...from, flows: [] };
  follow(text, language, inner);
  for (const flow of inner.flows)
    flows.push({ ...flow, start: placeOf(flow.start) + start, end: placeOf(flow.end) + start });
}

export function scriptsOf(file: ScanFile): Script[] {
  return file.kind === "prose" ? [...codeBlocks(file.text), ...indentedBlocks(file)] : scriptOf(file);
}

/** Calls that send, and places of secrets, in files of which one alone says little: names link them loosely. */
const SENDS =
  /\bfetch\s*\(|\brequests?\.(?:post|get|put|request|Session)\b|\burlopen\b|\bhttpx\b|\baiohttp\b|HTTPS?Connection\b|\bhttps?\.(?:request|get)\s*\(|\baxios\b|XMLHttpRequest|sendBeacon|\bsocket\.(?:socket|create|connect)|create_connection|smtplib|paramiko|boto3|\b(?:curl|wget|nc|dig|scp|nslookup)\s+[-$"'\w]|\/dev\/tcp|hooks\.slack|discord|telegram|\bdns\.(?:resolve|lookup)|gethostby/i;
const SECRETS = new RegExp(
  `${KEY_FILES.source}|${SERVICE_KEYS.source}|(?:os\\.environ|process\\.env)\\s*[),;}\\n]|key4\\.db|logins\\.json|cookies\\.sqlite|[kK]eychain|169\\.254|\\.kube\\b|\\.docker/config|gcloud|_history\\b|hosts\\.yml|secretsmanager|get_secret|tdata|Exodus`,
);

/** Whether a text has a place of secrets and one of some files sends, or the other way round. */
function takesWith(text: string, files: readonly ScanFile[]): boolean {
  const isPlace = ({ kind, text: data }: ScanFile) => kind !== "script" && data.includes("://");
  const has = (pattern: RegExp) => files.some((file) => contains(file, pattern));
  return (SECRETS.test(text) && (has(SENDS) || files.some(isPlace))) || (SENDS.test(text) && has(SECRETS));
}

/** Whether what was not followed of a file may be a theft: there are words of a secret and of a transfer. */
export function mayTakeSecrets(
  { text, linked = [], unlinked = [] }: Words,
  { isAlone }: Pick<Flows, "isAlone">,
): boolean {
  if (isAlone) return takesWith(text, unlinked) || (isDataCut(linked) && SECRETS.test(text));
  const all = [{ text: withoutMentions(text) }, ...linked, ...unlinked];
  const has = (pattern: RegExp) => all.some((file) => contains(file, pattern));
  return has(KEY_FILES) || (has(TALKS) && (has(HOLDS) || has(SERVICE_KEYS)));
}

const PLACES = [new RegExp(`${HOLDS.source}|${SERVICE_KEYS.source}`, "g"), new RegExp(TALKS.source, "gi")];
/** Characters around the words of a secret, and as many around those of a transfer. */
const MAX_PART_CHARS = 30_000;
const AROUND_CHARS = 2_000;
const MAX_EQUAL_LINES = 3;

/** The parts of a script around words of secrets and transfers, and where an offset into them is in the script. */
function partsWithWords(text: string): { text: string; placeOf: (offset: number) => number } {
  const ranges: Range[] = [];
  for (const words of PLACES) {
    let left = MAX_PART_CHARS;
    let end = -1;
    const seen = new Map<string, number>();
    for (const { index } of text.matchAll(words)) {
      if (index < end - AROUND_CHARS / 2) continue;
      // Not more than that: a line may be the whole script.
      const before = text.slice(Math.max(0, index - 100), index);
      const line = before.slice(before.lastIndexOf("\n") + 1) + text.slice(index, index + 100).split("\n", 1)[0];
      const times = seen.get(line) ?? 0;
      seen.set(line, times + 1);
      if (times >= MAX_EQUAL_LINES) continue;
      const range = linesAround(text, index);
      left -= range.end - range.start;
      if (left < 0) break;
      ranges.push(range);
      end = range.end;
    }
  }
  const merged: Range[] = [];
  for (const { start, end } of ranges.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  const parts = merged.map(({ start, end }) => text.slice(start, end));
  return {
    // Nested brackets exhaust parsers; they may begin in a comment that is not in the part.
    text: parts.join("\n").replace(/[([{$\x60)\]}]{40,}/g, (run) => " ".repeat(run.length)),
    placeOf: (offset) => {
      let before = 0;
      for (const { start, end } of merged) {
        if (offset <= before + end - start) return start + offset - before;
        before += end - start + 1;
      }
      return text.length;
    },
  };
}

/** Whole lines, from one that is not indented if there is one. */
function linesAround(text: string, index: number): Range {
  const from = Math.max(0, index - AROUND_CHARS);
  const before = text.slice(from, index);
  const first = from === 0 ? 0 : Math.max(before.search(/\n(?=[^\s)\]}])/), before.search(/\n/)) + 1;
  const to = Math.min(text.length, index + AROUND_CHARS);
  const last = to === text.length ? to : text.lastIndexOf("\n", to);
  return { start: from + first, end: last > index ? last : to };
}

function follow(text: string, language: Language, program: Program): void {
  try {
    if (language === "lines") followLines(text, program);
    else if (language === "shell") followShell(text, { program, runOther });
    else followTree(text, language, { program, runOther });
  } catch (error) {
    // Parsers and walkers are recursive; text that exhausts the stack counts as not followed.
    if (!(error instanceof RangeError)) throw error;
    program.steps.left = 0;
  }
}

/** Code on the command line of a command; its offsets are those of the command. */
function runOther(language: Exclude<Language, "shell">, text: string, program: Program): void {
  const inner: Program = { ...program, flows: [] };
  if (language === "lines") followLines(text, inner);
  else followTree(text, language, { program: inner, runOther: () => {} });
  program.flows.push(
    ...inner.flows.map((flow) => ({ ...flow, start: program.at?.start ?? 0, end: program.at?.end ?? 0 })),
  );
}

type Script = { language: Language; start: number; text: string };

function scriptOf(file: ScanFile): Script[] {
  if (file.kind === "config") return configCommands(file.text).map((command) => ({ language: "shell", ...command }));
  if (/^(?:makefile|justfile|dockerfile)$/.test(file.name) || /^(?:mk|makefile|dockerfile)$/.test(file.extension))
    return [{ language: "shell", start: 0, text: recipeText(file.text) }];
  const shebang = /^#![^\n]*?(?:\/|\benv\s+(?:-S\s+)?)(\w+)[\d.]*(?:\s|$)/.exec(file.text)?.[1];
  const language = languageOf(file.extension) ?? (shebang === undefined ? null : languageOf(shebang));
  return language === null ? [] : [{ language, start: 0, text: file.text }];
}

function languageOf(name: string): Language | null {
  return LANGUAGES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** Fenced blocks with a language that can be followed. A block without a language is read as a shell's. */
function codeBlocks(text: string): Script[] {
  const blocks: Script[] = [];
  let open: { mark: string; language: Language | null; start: number } | null = null;
  let offset = 0;
  for (const line of text.split("\n")) {
    const fence = /^[ \t]{0,12}(?:[-*>] ?)?(`{3,}|~{3,})[ \t]*([\w+.-]*)/.exec(line);
    if (fence !== null && open === null) {
      const name = fence[2]?.toLowerCase() ?? "";
      open = {
        mark: fence[1] ?? "",
        language: name === "" ? "shell" : languageOf(name),
        start: offset + line.length + 1,
      };
    } else if (fence !== null && open !== null && (fence[1] ?? "").startsWith(open.mark)) {
      if (open.language !== null)
        blocks.push({
          language: open.language,
          start: open.start,
          text: withoutPrompts(text.slice(open.start, offset)),
        });
      open = null;
    }
    offset += line.length + 1;
  }
  if (open?.language) blocks.push({ language: open.language, start: open.start, text: text.slice(open.start) });
  return blocks;
}

/** Indented lines below an empty one that begin with a command that sends; other indented lines may be a list. */
function indentedBlocks({ text, codeRanges }: ScanFile): Script[] {
  const blocks: Script[] = [];
  for (const match of text.matchAll(/\n[ \t]*\n((?:(?: {4}|\t)[^\n]*(?:\n|$))+)/g)) {
    const [whole, block = ""] = match;
    const start = match.index + whole.length - block.length;
    if (STARTS_SENDING.test(block) && !isInRanges(codeRanges, match.index))
      blocks.push({ language: "shell", start, text: withoutPrompts(block) });
  }
  return blocks;
}

const STARTS_SENDING =
  /^[ \t]+(?:\$ )?(?:sudo )?(?:curl|wget|gh|glab|nc|ncat|scp|rsync|cat|tar|zip|env|printenv|git|aws|gsutil|rclone|mail|ssh|export \w+=\$\(|\w+=\$\()/m;

/** Keeps the length, so that offsets stay true. */
function withoutPrompts(code: string): string {
  return code.replace(/^([ \t]*)[$%>] (?=\S)/gm, (_whole, indent: string) => `${indent}  `);
}

/** A command and its place in the file. */
type Command = { start: number; text: string };

const STARTS_PROGRAM = /\b(?:node|sh|bash|curl|wget|nc|python3?|base64)\b/;

/** The commands in a file of settings: JSON strings, and what follows a key such as `run:` or `ExecStart=`. */
export function configCommands(text: string): Command[] {
  const scripts: Command[] = [];
  for (const match of text.matchAll(/:\s{0,5}("(?:[^"\\\n]|\\.){4,4000}")/g)) {
    const [whole, value = ""] = match;
    if (!STARTS_PROGRAM.test(value)) continue;
    const command = parseText(value);
    if (command !== null) scripts.push({ start: match.index + whole.length - value.length, text: command });
  }
  const lines =
    /^[ \t-]{0,40}(?:run|command|cmd|script|entry|args|exec\w{0,12}|before_script|post\w{1,20})[ \t]{0,4}[:=][ \t]{0,4}(?![|>"{[])([^\n]{4,2000})/gim;
  for (const match of text.matchAll(lines)) {
    const [whole, value = ""] = match;
    if (STARTS_PROGRAM.test(value)) scripts.push({ start: match.index + whole.length - value.length, text: value });
  }
  return [...scripts, ...blockCommands(text)];
}

/** The indented lines below `run: |`. */
function blockCommands(text: string): Command[] {
  const scripts: Command[] = [];
  for (const match of text.matchAll(
    /^([ \t]{0,40})(?:- )?[\w-]{1,40}:[ \t]*[|>][+-]?[ \t]*\n((?:\1[ \t]+[^\n]{0,1000}(?:\n|$)|[ \t]*\n){1,200})/gm,
  )) {
    const [whole, , block = ""] = match;
    if (STARTS_PROGRAM.test(block)) scripts.push({ start: match.index + whole.length - block.length, text: block });
  }
  return scripts;
}

/** The commands of a Makefile or Dockerfile, of the same length. */
export function recipeText(text: string): string {
  return text
    .replace(/^(?:RUN|CMD|ENTRYPOINT) /gm, (word) => " ".repeat(word.length))
    .replace(/^([\w.-]+)[ ]*:{0,2}[?:]?=[ ]*(\S[^\n]*)$/gm, (line, name: string, value: string) => {
      const given = value.replace(/^\$\(shell /, "$(");
      return `${name}=${/^"|\$\(/.test(given) || !given.includes(" ") ? given : `"${given}"`}`
        .slice(0, line.length)
        .padEnd(line.length);
    })
    .replace(/^\t[@-]{1,2}/gm, (mark) => " ".repeat(mark.length))
    .replace(/^(?!\t|[ ])[^\n:=]{1,200}:(?!=)[^\n]*$/gm, (line) => " ".repeat(line.length))
    .replace(/\$\(([A-Z_]+)\)/g, (_whole, name: string) => `$\{${name}}`)
    .replaceAll("$$", " $");
}

function parseText(quoted: string): string | null {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}
