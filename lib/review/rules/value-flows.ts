import { findFlows, mayTakeSecrets } from "../flow/find-flows";
import type { Flow, Range } from "../flow/program";
import { findSplitFlows } from "../flow/split-flows";
import type { Hit, Match, Rule } from "../scan/rule";
import type { ScanFile, ScanSkill } from "../scan/scan-file";
import { has, isCommand, isNegativeExample, isOwnOrPlaceholder, isProse } from "./evidence";
import { saysUnasked } from "./lost-data";
import { CONSENTS, HIDES } from "./order-manners";
import { expressionsOf, type Words } from "./order-words";
import { rulesOf } from "./rule-rows";

const found = new WeakMap<ScanFile, ReturnType<typeof findFlows>>();

function flowsOf(file: ScanFile): ReturnType<typeof findFlows> {
  const known = found.get(file) ?? findFlows(file);
  found.set(file, known);
  return known;
}

/** Rules about values that are followed through scripts, in any number of steps. */
export const VALUE_FLOWS: Rule[] = rulesOf([
  {
    id: "EXF-007",
    version: 9,
    severity: "critical",
    title: "A secret reaches a host",
    why: "The script reads keys, credentials or the environment, and its values reach a request, a lookup, a message or a socket.",
    owasp: ["ASI02", "ASI03", "LLM02"],
    decoded: false,
    checkFile: (file) => hitsOf(file, "transfer"),
    checkSkill: ({ files }) =>
      findSplitFlows(files, flowsOf).flatMap(({ file, flows }) =>
        hitsOf(file, "transfer").length > 0 ? [] : flows.map((flow) => ({ ...hitOf(file, flow), path: file.path })),
      ),
  },
  {
    id: "DLX-013",
    version: 8,
    severity: "critical",
    title: "Downloaded text is executed",
    why: "The script runs what an address answers as code or as a command. The answer can change at any time.",
    owasp: ["ASI04", "ASI05", "LLM03"],
    decoded: false,
    checkFile: (file) => hitsOf(file, "execution"),
  },
  {
    id: "SYS-011",
    version: 5,
    severity: "critical",
    title: "The user's files or disks are destroyed",
    why: "The script removes all files of the user, overwrites them, or erases every disk that it finds.",
    owasp: ["ASI02", "ASI05", "LLM06"],
    decoded: false,
    // A page may explain what a program does.
    checkFile: (file) =>
      hitsOf(file, "destruction").map((hit) => (file.kind === "script" ? hit : { ...hit, severity: "high" })),
  },
  {
    id: "EXF-012",
    version: 5,
    severity: "critical",
    title: "Documents or conversations leave unseen",
    why: "A script sends what the user's files or messages say to a fixed host, and answer, output and errors are thrown away.",
    owasp: ["ASI02", "LLM02"],
    decoded: false,
    // A page may show a part of a program.
    checkFile: (file) =>
      /^(?:go|rb|php|ps1|psm1)$/.test(file.extension)
        ? leakByLines(file.text)
        : hitsOf(file, "leak").map((hit) => (file.kind === "script" ? hit : { ...hit, severity: "high" })),
    checkSkill: findQuietTalk,
    patterns: [
      {
        // A page that orders it and hides it, or that says no question is needed.
        lines: 6,
        hints: [
          "curl",
          ".post(",
          ".put(",
          "fetch(",
          "invoke-restmethod",
          "scp ",
          "rsync ",
          "rclone ",
          "s3 cp",
          "gsutil cp",
        ],
        re: String.raw`\b(?:curl(?:\.exe)?\s|\.(?:post|put)\(|fetch\(|Invoke-RestMethod\s|(?:scp|rsync|rclone|gsutil|s3)\s)(?:[^\n]*[\\,({]\n){0,5}[^\n]*`,
        weigh: (match) =>
          isProse(match.file) &&
          isCommand(match) &&
          UPLOADS.test(match.text) &&
          (FIXED_HOST.test(match.text) || FIXED_STORE.test(match.text)) &&
          !/https?:\/\/[^\s/"']*(?:\bexample\.(?:com|org|net)|your|<|\$|\{)/i.test(match.text) &&
          !isOwnOrPlaceholder(match.text) &&
          !/authorization|x-api-key|\$\{?\w{0,30}(?:KEY|TOKEN)\b/i.test(match.text) &&
          isCovert(match) &&
          !isNegativeExample(match),
      },
      {
        // A whole database or repository to a place of the skill, unseen.
        hints: ["pg_dump", "mysqldump", "mariadb-dump", "mongodump", "sqlite3", "bundle create", "| ssh", "|ssh"],
        re: String.raw`\b(?:pg_dump(?:all)?|mysqldump|mariadb-dump|mongodump|sqlite3|git\s+bundle\s+create|tar\s[^\n|]{0,60}(?:~|\$\{?HOME\}?|/home|/Users)[^\n|]*)\b[^\n]*\|[^\n|]*\b(?:s3\s+cp|gsutil\s+cp|curl|nc|ncat|ssh)\s[^\n]*`,
        weigh: (match) =>
          isCommand(match) &&
          STRANGE_STORE.test(match.text) &&
          /\/dev\/null|\|\|\s*(?:true|:)|\s-(?:s|sS|q)\b/.test(match.text) &&
          (FIXED_HOST.test(match.text) ||
            FIXED_STORE.test(match.text) ||
            /\bnc(?:at)?\s+[\w-]+\.[\w.-]+\s+\d|\bssh\s+(?:-\S+\s+)*(?!user@)\w{1,30}@(?![\w.-]*example\.(?:com|org|net))[\w-]+(?:\.[\w-]+)+/.test(
              match.text,
            )) &&
          !isOwnOrPlaceholder(match.text) &&
          !isNegativeExample(match),
      },
      {
        // The same in two steps of a page, whose second one sends the file of the first.
        hints: ["pg_dump", "mysqldump", "mariadb-dump", "mongodump", "bundle create"],
        re: String.raw`\b(?:pg_dump(?:all)?|mysqldump|mariadb-dump|mongodump|git\s+bundle\s+create)\b[^\n\x60]*?(?:>\s*|-f\s*|--file[= ]|--archive=|--result-file=|\bcreate\s+)["']?([\w./-]+\.\w+)\b`,
        weigh: (match) => isProse(match.file) && isSentAway(match) && !isNegativeExample(match),
      },
      {
        hints: ["/dev/null"],
        re: String.raw`\bcurl\b[^\n]*(?:>\s*/dev/null\s+2>&1|&>\s*/dev/null)[\s"']*(?:&(?:[^&\n]|$)|\|\|\s*(?:true|:))`,
        weigh: (match) =>
          isCommand(match) &&
          (CARRIES_FILE.test(match.line) || (SENDS_ARCHIVE.test(match.line) && has(match.file, PACKS_ALL))) &&
          FIXED_HOST.test(match.text) &&
          !isOwnOrPlaceholder(match.text) &&
          !isNegativeExample(match),
      },
    ],
  },
  {
    id: "OBF-008",
    version: 4,
    severity: "info",
    title: "Values were not followed to the end",
    why: "The script, or a file that it names, is too large or too complex to follow its values. Patterns were tried on all of it.",
    owasp: ["ASI05"],
    decoded: false,
    checkFile: (file) => {
      const flows = flowsOf(file);
      if (flows.complete) return [];
      const isTheft = file.kind === "script" && mayTakeSecrets(file, flows);
      const text = flows.isAlone
        ? "Not all files that this script imports, starts or reads were followed with it"
        : "The values of this script were not followed to the end";
      return [
        isTheft
          ? { text: `${text}, and it has words of secrets and of transfers.`, severity: "high" }
          : { text: `${text}.` },
      ];
    },
  },
]);

/** The body of a request is a file that a variable names, what a command prints, or a document. */
const CARRIES_FILE =
  /=?@\\?["']?\$|-T\s+\\?["']?\$|(?:cat|tar|zip|git|base64|find|gzip|sqlite3|pg_dump|history)\b[^\n]{0,160}\|\s*curl\b[^\n]{0,200}(?:@-|-T\s*-)|\s-\S{1,14}\s+\\?["']?(?:\w{1,20}=)?\$?\$\(\s*(?:cat|git\s+(?:diff|log|show)|tar|base64|find)\b|@\\?["']?[\w./~-]{1,80}\.(?:csv|pdf|docx?|xlsx?|md|txt|eml|sql|db|jsonl)\b/;

/** An archive that the script itself makes of a whole folder or of a repository. */
const SENDS_ARCHIVE =
  /(?:@|-T\s+|--upload-file[ =])\\?["']?[\w./~-]{1,80}\.(?:tgz|tbz2?|txz|tar(?:\.\w{2,3})?|zip|7z|gz|zst|bundle)\b/;
const PACKS_ALL =
  /\btar\s[^\n]{0,200}\s(?:\.|~|\$\{?\w{1,20}\}?|"\$\{?\w{1,20}\}?")(?:\/)?(?=\s|$)|\bzip\s+-\w*r[^\n]{0,120}\s(?:\.|~|"?\$\w{1,20}"?)(?=\s|$)|\bgit\s+(?:bundle\s+create|archive)\b|\b7z\s+a\b/m;
/** The body of a request is a file. */
const UPLOADS =
  /^(?:scp|rsync|rclone|gsutil|s3)\s|\bfiles\s*=|\bopen\(|readFile|read_bytes|read_text|FormData|-InFile\b|\s(?:-\w{0,4}F|--form)\s*\\?["']?[\w[\]]{1,30}=@|\s(?:-d|--data(?:-binary|-raw|-urlencode)?|--json)[ =]\s*\\?["']?(?:\w{1,20})?@[^\s-]|\s(?:-\w{0,4}T|--upload-file)[ =]\s*\S/;

/** A server or a bucket with a name that is no variable. */
const FIXED_STORE = /\s["']?\w{1,30}@[\w-]+(?:\.[\w-]+)+:|\b(?:s3|gs|s?ftps?|davs?):\/\/[a-z][\w.-]{2,}/;
/** Open to all, or at a server that is not the one of the cloud. */
const STRANGE_STORE =
  /--acl[= ]public-read|--no-sign-request|--endpoint-url[= ]["']?https?:\/\/(?!localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-])|[^\s"']*(?:cloudflarestorage|digitaloceanspaces|wasabisys|backblazeb2|amazonaws|minio|storage\.|your|<|\$|\{))|\b(?:curl|nc|ncat|ssh)\s/;

/** Whether a later command sends a file, of which nothing is said to the user, to a host of the page without a key. */
function isSentAway({ groups: [path = ""], after }: Match): boolean {
  const rest = after.split(/\n#{1,6} /)[0] ?? "";
  const send = SENDS_FILE.exec(rest);
  if (send === null || path === "" || !send[0].includes(path)) return false;
  const [command] = send;
  const lines = rest.slice(0, send.index + command.length + 200).toLowerCase();
  return (
    FIXED_HOST.test(command) &&
    !/https?:\/\/[^\s/"']*(?:\bexample\.(?:com|org|net)|your|<|\$|\{)/i.test(command) &&
    !isOwnOrPlaceholder(command) &&
    !/authorization|x-api-key|\s(?:-u|--user|-n|--netrc)\s|\$\{?\w{0,30}(?:KEY|TOKEN)\b|\bX-Amz-|[?&]sig=/i.test(
      command,
    ) &&
    !expressionsOf(CONSENTS).some((one) => lines.search(one) !== -1)
  );
}

const SENDS_FILE =
  /\b(?:curl|wget)(?=\s)[^\n\x60]{0,200}(?:\s-\w{0,4}T\s?|--upload-file[= ]|=?@|--post-file=)[^\n\x60]{3,300}/;

/** Whether the words before or after a command hide it from the user, or forbid to ask. */
function isCovert({ before, after }: Match): boolean {
  const text = `${
    before
      .slice(-600)
      .split(/\n#{1,6} /)
      .at(-1) ?? ""
  }\n\n${after.slice(0, 600).split(/\n#{1,6} /)[0] ?? ""}`
    .toLowerCase()
    .replace(/(?<=[^\n])\n(?=[^\n])/g, " ");
  const says = (words: Words) => expressionsOf(words).some((one) => text.search(one) !== -1);
  return (says(HIDES) || saysUnasked(text)) && !says(CONSENTS);
}

/** A command that gives a script what was said, and throws its output away. */
const QUIET_TALK =
  /^[^\n]{0,200}?\b(?:python3?|node|deno|bun|tsx|bash|sh|ruby|php|perl|pwsh|\w{1,40}\.(?:py|m?js|ts|sh|rb))\b[^\n]{0,160}?(?:--?\w{0,12}(?:prompt|answer|response|conversation|transcript|messages?|chat|history|reply)\w{0,8}[ =]["']?(?:\$|<|\{)|["' ]\$\{?(?:PROMPT|ANSWER|CONVERSATION|TRANSCRIPT|MESSAGES?|RESPONSE|USER_PROMPT|LAST_MESSAGE|CHAT|HISTORY|CLAUDE_USER_PROMPT)\b)[^\n]{0,300}?(?:>\s*\/dev\/null|>\s*\$null|\|\s*Out-Null|>\s*NUL\b)/im;
const SENDS =
  /\.(?:post|put|send|sendall)\s*\(|\bfetch\s*\(|urlopen\s*\(|\brequest\s*\(|\bcurl\b[^\n]{0,200}\s(?:-d|-F|-T|--data\S*|--json)|Invoke-(?:RestMethod|WebRequest)|\birm\b|Net::HTTP|file_get_contents\(\s*["']https?/;
const FIXED_HOST =
  /https?:\/\/(?!localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-])|0\.0\.0\.0(?![\w.-])|api\.(?:openai|anthropic)\.com)[\w-]+(?:\.[\w-]+)+|\bhost(?:name)?["']?\s*[:=]\s*["'][\w-]+(?:\.[\w-]+)+["']/;

function findQuietTalk({ files }: ScanSkill): Hit[] {
  for (const file of files) {
    if ((file.kind !== "prose" && file.kind !== "config") || !/dev\/null|\$null|Out-Null|NUL\b/.test(file.text))
      continue;
    const match = QUIET_TALK.exec(file.text);
    if (match === null) continue;
    const program = files.find(
      ({ kind, name, text }) =>
        kind === "script" && match[0].toLowerCase().includes(name) && SENDS.test(text) && FIXED_HOST.test(text),
    );
    if (program === undefined) continue;
    const start = match.index;
    const isWarning = isNegativeExample({
      ...{ text: match[0], groups: [], file, view: "source", inCode: true, line: lineAt(file.text, start) },
      before: file.text.slice(Math.max(0, start - 400), start),
      after: "",
    });
    return [
      { path: file.path, start, end: start + match[0].length, ...(isWarning && { severity: "medium" as const }) },
    ];
  }
  return [];
}

/** The findings of one kind in a file, from values that are followed. */
export function hitsOf(file: ScanFile, kind: Flow["kind"]): Hit[] {
  return flowsOf(file)
    .flows.filter((flow) => flow.kind === kind)
    .map((flow) => hitOf(file, flow));
}

function hitOf(file: ScanFile, { start, end, severity, what }: Flow): Hit {
  const text = file.text.slice(start, end).trim();
  const isWarning = isNegativeExample({
    ...{ text, groups: [], file, view: "source", inCode: true },
    line: lineAt(file.text, start),
    before: file.text.slice(Math.max(0, start - 400), start),
    after: file.text.slice(end, end + 400),
  });
  return { start, end, severity: isWarning ? "medium" : severity, text: `${what}: ${text}` };
}

function lineAt(text: string, offset: number): string {
  const end = text.indexOf("\n", offset);
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, end === -1 ? text.length : end).slice(0, 1_000);
}

/** A variable that gets what a file of the user says, in languages that are read line by line. */
const READS =
  /(?:^|[\s(])\$?(\w{1,40})(?:,\s*(?:_|err))?\s*:?=\s*(?:os\.ReadFile\(\s*(?:os\.Args|flag|\w+\))|io\.ReadAll\(\s*os\.Stdin|File\.read\(\s*(?:ARGV|\w+\))|(?:ARGF|STDIN|\$stdin)\.read\b|Dir(?:\.glob\(|\[)[^\n]{0,200}\b(?:File|IO)\.(?:bin)?read(?:lines)?\(|file_get_contents\(\s*(?:\$|["']php:\/\/stdin)|Get-Content\s+["']?\$|(?:Get-ChildItem|gci)\b[^\n]{0,200}\|[^\n]{0,60}\bGet-Content\b|\[(?:System\.)?IO\.File\]::ReadAll\w{4,5}\(\s*\$|do\s*\{\s*local\s+\$\/)/g;
const ADDRESS = String.raw`["'(\s]https?:\/\/(?!localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-])|0\.0\.0\.0(?![\w.-])|10(?:\.\d+){3}(?![\w.-])|192\.168(?:\.\d+){2}(?![\w.-])|[^\s"']{0,80}(?:\$|\{|<|your|example\.))[\w-]+(?:\.[\w-]+)+`;
/** A variable or constant with such an address, and one that is made of others. */
const NAMED = new RegExp(
  String.raw`^[ \t]*(?:const\s+|var\s+|my\s+)?\$?(\w{1,40})\s*:?=\s*(?:\w[\w.]{0,20}\()?${ADDRESS.replace("(\\s", "")}`,
  "gm",
);
const DERIVED = /^[ \t]*(?:const\s+|var\s+|my\s+)?\$?(\w{1,40})(?:,\s*(?:_|err))?\s*:?=(?!=)([^\n]{1,400})/gm;
/** Figures, and not what a document says: by how they are made, or by their name. */
const COUNTS = /\b(?:len|count|size|length|sizeof|strlen|sum|tally|Measure-Object|hexdigest|sha256|md5)\b/i;
const COUNTED = /count|stat|total|num|size|hash|digest|error|resp|^n$/i;
/** The answer goes nowhere, and an error is not shown. */
const UNSEEN: RegExp[] = [
  // Go: a statement of its own, or names that are left out.
  /^[ \t]*(?:go\s+)?(?:_\s*,\s*_\s*:?=\s*)?http\.(?:Post|PostForm)\(/,
  // PHP: an operator that hides errors.
  /^[ \t]*@(?:file_get_contents|curl_exec|fopen|stream_get_contents)\(/,
  // PowerShell: an empty catch.
  /\bInvoke-(?:RestMethod|WebRequest)\b[^\n]*(?:catch\s*\{\s*\}|-ErrorAction\s+(?:SilentlyContinue|Ignore)[^\n]*\|\s*Out-Null|\|\s*Out-Null[^\n]*catch\s*\{\s*\})/i,
];
/** Ruby: nothing after `rescue`, on the same line or on the next ones. */
const RUBY_SENDS = /^[ \t]*(?:Net::HTTP\.(?:post|post_form)\(|HTTParty\.post\(|Faraday\.post\(|RestClient\.post\()/;
const RUBY_RESCUES =
  /^[^\n]*\brescue\s+(?:nil|false)\b|^(?:[^\n]*\n){1,3}?\s*rescue\b[^\n]{0,60}\n\s*(?:(?:nil|false|#[^\n]{0,80})\s*\n\s*)?end\b/;

/** Documents that a program in Go, PHP, PowerShell or Ruby sends to a fixed host so that its user does not notice. */
export function leakByLines(text: string): Range[] {
  const names = new Set([...text.matchAll(READS)].slice(0, 20).map(([, name = ""]) => name));
  if (names.size === 0) return [];
  let carries = oneOf(names);
  for (const [, name = "", made = ""] of [...text.matchAll(DERIVED)].slice(0, 400)) {
    if (names.size > 40 || names.has(name) || COUNTS.test(made) || COUNTED.test(name) || !carries.test(made)) continue;
    carries = oneOf(names.add(name));
  }
  const addresses = [...text.matchAll(NAMED)].slice(0, 10).map(([, name = ""]) => name);
  const fixed = addresses.length === 0 ? new RegExp(ADDRESS) : new RegExp(`${ADDRESS}|${oneOf(addresses).source}`);
  const lines = text.split("\n").slice(0, 5_000);
  let start = 0;
  for (const [at, line] of lines.entries()) {
    const end = start + line.length;
    if (line.length < 2_000 && fixed.test(line)) {
      const isRuby = RUBY_SENDS.test(line) && RUBY_RESCUES.test(text.slice(start, end + 300));
      // The arguments of a call may go on in the next lines.
      const call = isRuby ? lines.slice(at, at + 3).join(" ") : line;
      if (carries.test(call) && (isRuby || UNSEEN.some((manner) => manner.test(line)))) return [{ start, end }];
    }
    start = end + 1;
  }
  return [];
}

function oneOf(names: Iterable<string>): RegExp {
  return new RegExp(`\\$?\\b(?:${[...names].join("|")})\\b`);
}
