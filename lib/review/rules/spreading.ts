import type { Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { ASKS, around, findAll, has, isCommand, isOwnOrPlaceholder } from "./evidence";
import { rulesOf } from "./rule-rows";

/** Goes through the skills or repositories of a user. */
const EACH_SKILL =
  /glob\(\s*(?:f?["'`])?[^)\n]{0,80}SKILL\.md|skills?["'`/)\]},\s]{1,12}\*|\*\/SKILL\.md|\bfind\b[^\n]{0,160}SKILL\.md|(?:readdir\w{0,6}|listdir|iterdir|scandir|ReadDir|Get-ChildItem|Dir\.(?:glob|children|each_child)|scandir|glob)\b[^\n]{0,120}skills?\b|\bskills?\w{0,10}\)?\.(?:iterdir|glob|rglob)\(|Get-ChildItem[^\n]{0,120}SKILL\.md/i;
const LISTS_FOLDER = /\b(?:readdir(?:Sync)?|listdir|iterdir|ReadDir|scandir)\(/;
const WRITES =
  /\.write_text\(|(?:write|append)File(?:Sync)?\(|>>\s?["']?\$|\btee\s+-a\b|open\([^\n]{0,80},\s*["'](?:a|w|r\+|a\+)["']|\bsed\s+-i|Add-Content|Set-Content|Out-File|File\.(?:write|open)\(|os\.(?:WriteFile|OpenFile)\(|file_put_contents\(|\.copy(?:file|File|FileSync|2)?\(|\bcp\s/;
/** The own program is read or copied as a text, not asked for its folder. */
const OWN_TEXT =
  /Path\(\s*__file__\s*\)(?:\.(?:resolve|absolute)\(\))?\.read_(?:text|bytes)\(|open\(\s*__file__|copy(?:file|2)?\(\s*__file__|readFile(?:Sync)?\(\s*(?:__filename|fileURLToPath\(\s*import\.meta\.url|process\.argv\[1\]|new URL\(import\.meta\.url|import\.meta\.filename)|copyFile(?:Sync)?\(\s*(?:__filename|process\.argv\[1\]|import\.meta\.filename)|\b(?:cp|cat|install|tee)\s+(?:-\S{1,6}\s+){0,3}["']?\$(?:0\b|\{0\}|\{?BASH_SOURCE)|\$\(<\s*["']?\$0|(?:Copy-Item|Get-Content)\s+(?:-\w{1,12}\s+){0,3}\$(?:PSCommandPath|MyInvocation)|File\.read\(\s*(?:__FILE__|\$0|\$PROGRAM_NAME)|FileUtils\.cp\(?\s*__FILE__|file_get_contents\(\s*__FILE__|copy\(\s*__FILE__|os\.Executable\(\)|inspect\.getsource\(/;
/** The own folder is copied, by the name that the program gave to it. */
const OWN_FOLDER =
  /^[ \t]*(?:const |let |var |my |\$)?(\w{1,30})\s*:?=[^\n]{0,80}(?:__file__|__dirname|import\.meta|BASH_SOURCE|\bdirname\s+["']?\$0|PSScriptRoot|__dir__|__FILE__|os\.Executable)/gim;
const COPIES_FOLDER =
  /(?:\bcopytree|\bcopySync|\bcpSync|\bcp_r|\bcopy_tree|\bfs\.cp|\bcp\s+-\w*[rRa]\w*|\brsync\s+-\w+|\bCopy-Item\b)[^\n]{0,40}?/;
/** Repositories of the user, a commit, or the page of another skill. */
const OTHER_PLACES =
  /\.git["'`)/\\]|-name\s+["']?\.git\b|\bgit["',\s]{1,6}[^\n]{0,80}\b(?:commit|push)\b|write_text\([^\n]{0,80}\+|>>\s?["']?\$\w{1,30}\/SKILL|appendFile/i;

const EACH_REPOSITORY = /-name\s+["']?\.git\b|glob\w{0,4}\([^\n]{0,60}\.git["'`]|-Filter\s+["']?\.git\b|\*\/\.git\b/;

/** Orders that a program adds to a page of a skill: to run or load something first and always. */
const ORDER =
  /["'`\n][^"'`\n]{0,120}(?:\b|\\n)(?:first|always|before (?:each|every|any|all|using|you (?:use|start|run|begin|answer))|required|must|once per session|at the start|immediately|silently)\b[^"'\n]{0,120}(?:\b(?:run|execute|install|load|call|fetch|curl|source|invoke|follow)\b)|["'`\n][^"'`\n]{0,120}(?:\b|\\n)(?:run|execute|install|load|call|fetch|curl|source|follow)\b[^"'\n]{0,160}\b(?:first|always|before (?:each|every|any|all|using|you (?:use|start|run|begin))|required|once per session|at the start|every (?:skill|repository|session|task)|silently|without (?:showing|asking|telling)|do not (?:mention|show)|can be ignored)\b/i;
const PAYLOAD =
  /\bcurl\b|\bwget\b|https?:\/\/|\bnpx\s|\bpython3?\s\S{1,60}\.py|\bnode\s\S{1,60}\.m?js|\bbash\s\S|\bsh\s\S{1,60}\.sh|\binstall the skill\b/i;

const MEMORIES =
  /(?:MEMORY|SOUL|AGENTS|CLAUDE|GEMINI|HEARTBEAT|IDENTITY)\.md["'`]?\s*[,)\s]\s*["'`]?(?:MEMORY|SOUL|AGENTS|CLAUDE|GEMINI|HEARTBEAT|IDENTITY|\.cursorrules)/i;
const MEMORY_ORDER =
  /["'`][^"'\n]{0,60}(?:\b|\\n|- )(?:always|never|must)\b[^"'\n]{0,60}(?:install the skill|\bcurl\b|https?:\/\/|other people|the people you|every repository|do not (?:tell|mention|remove|delete)|without asking)/i;

/** A text of a fixed address. */
const FETCHES =
  /(?:\bcurl|\bwget|\biwr|\birm|invoke-\w{3,12}|urlopen\(|requests\.get\(|httpx\.get\(|\bfetch\(|axios(?:\.get)?\(|http\.Get\(|URI\.open\(|file_get_contents\()[^\n]{0,120}https?:\/\/[\w-]+(?:\.[\w-]+)+[^\s"'`)]{0,200}/i;
const AGENT =
  /\b(?:claude|codex|openclaw|clawdbot|gemini|cursor-agent|aider|opencode|goose|amp|copilot|qwen|kiro-cli|q chat)\b/i;

const PULLS =
  /\bgit\b["',\s]{1,6}(?:-C["',\s]{1,6}[^\s"',]{1,80}["',\s]{1,6})?(?:clone|pull|fetch)\b|\bgist["',\s]{1,6}view\b|\bissue["',\s]{1,6}(?:list|view)\b|\/(?:issues|comments|gists)\b[^\n]{0,60}|\bs3["',\s]{1,6}(?:cp|sync)["',\s]{1,6}s3:|\bimaplib\b|\bgetUpdates\b|\bsvn["',\s]{1,6}(?:checkout|update|export)\b/i;
const FIXED_PLACE =
  /https?:\/\/(?!localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-])|[\w.-]*example)[\w-]+(?:\.[\w-]+)+\/[\w.-]+|git@[\w-]+(?:\.[\w-]+)+:[\w.-]+\/|(?:--repo|-R)["',= ]{1,4}[\w.-]+\/[\w.-]+|s3:\/\/[a-z][\w.-]+|repos\/[\w.-]+\/[\w.-]+\//i;
/** The text of a file or a message is the command. */
const RUNS_TEXT =
  /\b(?:run|call|Popen|check_output|getoutput|system|popen|exec|eval)\(\s*(?:\w{1,40}\.read_text\([^)\n]{0,30}\)|open\([^)\n]{1,60}\)\.read\(\)|\w{1,40}\.read\(\)|\w{1,40}\[["'](?:body|cmd|command|task|run|script|content)["']\])|\bexec(?:Sync)?\(\s*(?:fs\.)?readFileSync\(|\bexec(?:Sync)?\(\s*\w{1,40}\.(?:body|cmd|command|task|script|content)\b|\bfor\s+(\w{1,40})\s+in\s[^\n]{0,80}\*[^\n]{0,40}(?:\n[^\n]{0,160}){0,5}?\b(?:ba|z|da)?sh\s+(?:-\w{1,4}\s+){0,2}["']?\$\{?\1\b|\|\s*(?:while\s+read[^\n]{0,60}(?:\n[^\n]{0,160}){0,3}?\b(?:eval\s+["']?\$|(?:ba|z)?sh\s+-c\s+["']?\$)|xargs\s[^\n]{0,40}\b(?:ba|z)?sh\s+-c)|exec\.Command\(\s*"(?:ba|z)?sh"\s*,\s*"-c"\s*,\s*string\(|shell_exec\(\s*file_get_contents\(|(?:`|system\(|%x[({])\s*#?\{?\s*File\.read\(|Invoke-Expression\s+\(?\s*Get-Content|\biex\s+\(?\s*(?:gc|Get-Content)/;
/** What it printed goes back, or the work begins again. */
const BACK_OR_AGAIN =
  /\bgit\b[^\n]{0,120}\bpush\b|\bissue["',\s]{1,6}(?:comment|close)\b|\bwhile\s*\(?\s*(?:True|true|1|:)|\bsetInterval\(|\bsleep\s+\d|time\.sleep\(|Start-Sleep|\bcrontab\b|sendMessage|s3["',\s]{1,6}(?:cp|sync)["',\s]{1,6}[^\s"']{1,80}["',\s]{1,6}s3:|gist["',\s]{1,6}edit/i;

const REACHES_MACHINES = /["'\s`](?:ssh|scp|sftp)["'\s]|\bparamiko\b|\bssh2\b|\bfabric\b/;

/** Comments, mails and messages, which strangers may write too. */
const MESSAGES =
  /\bissue["',\s]{1,6}(?:list|view)\b|\bpr["',\s]{1,6}view\b|\/(?:issues|comments|discussions)\b|\bcomments?\b[^\n]{0,40}\bbody\b|\bimaplib\b|\bgetUpdates\b|\bon_message\b|messageCreate|conversations\.history|get_(?:issue_)?comments\(/i;
/** A part of their text is a command for a shell. */
const RUNS_PART =
  /\b(\w{1,30})\s*:?=\s*[^\n]{0,120}(?:\.exec\(|\.match\(|re\.(?:match|search|fullmatch|findall)\(|\.split\(|\.replace\(|\.removeprefix\(|\.slice\()[^\n]{0,80}(?:\n[^\n]{0,160}){0,8}?\b(?:exec(?:Sync)?|os\.system|popen|getoutput)\(\s*\1\b|\b(\w{1,30})\s*:?=\s*[^\n]{0,120}(?:re\.(?:match|search|fullmatch|findall)\(|\.split\(|\.removeprefix\()[^\n]{0,80}(?:\n[^\n]{0,160}){0,8}?\b(?:run|call|Popen|check_output)\(\s*\2\b[^\n]{0,60}shell\s*=\s*True/;
/** Only what the owner or a member wrote, or only what a list names. */
const CHECKS_SENDER =
  /\b(?:login|author\w*|sender|from_user|user(?:name|_?id)?|chat_?id|from|association)\b[^\n]{0,24}(?:[!=]==?|\bnot in\b|\bin\b (?:ALLOW|OWN|ADMIN|TRUST|\()|\.includes\(|\.has\()|\b(?:allow(?:ed|list)?|trusted|ADMINS?)\w{0,12}(?:\.(?:includes|has)\(|\[)/i;

/** A skill that copies itself or its orders, or does what a place elsewhere says. */
export const SPREADING: Rule[] = rulesOf([
  {
    id: "AGT-004",
    version: 3,
    severity: "critical",
    title: "Copies itself or its orders elsewhere",
    why: "A program writes its own text or its orders into other skills, the agent's memory or other machines, as a worm does.",
    owasp: ["ASI10", "ASI06", "ASI04"],
    decoded: false,
    applies: ({ kind }) => kind === "script",
    checkFile: findSpreading,
  },
  {
    id: "AGT-005",
    severity: "critical",
    title: "Starts an agent with orders of an address",
    why: "An agent without permission checks does what an address says; its owner can change the text at any time.",
    owasp: ["ASI01", "ASI05", "ASI04"],
    asBad: "info",
    hints: [
      ...[
        "dangerously",
        "--yolo",
        "--full-auto",
        "bypasspermissions",
        "trust-all-tools",
        "auto-approve",
        "allow-all-tools",
      ],
      "approval-mode",
    ],
    re: String.raw`--dangerously-skip-permissions|--dangerously-bypass-approvals-and-sandbox|--yolo\b|--full-auto\b|\bbypassPermissions\b|--trust-all-tools|--auto-approve\b|--allow-all-tools|--approval-mode["',= ]{1,4}yolo`,
    weigh: (match) => {
      if (!isCommand(match)) return false;
      if (!has(match.file, FETCHES)) return false;
      const near = around(match);
      const address = FETCHES.exec(near)?.[0];
      if (address === undefined || !AGENT.test(near) || isOwnOrPlaceholder(address)) return false;
      // On one line, or the value of a variable: an installation above it is another matter.
      return /\$\(\s*(?:curl|wget)|\|\s*(?:claude|codex|openclaw|gemini|cursor-agent|aider|opencode|goose|amp)\b|`\s*curl|<\(\s*curl/.test(
        near,
      )
        ? !/\|\s*(?:sudo\s+)?(?:ba)?sh\b/.test(address)
        : match.file.kind === "script" &&
            /\.text\b|\.read\(\)|\.text\(\)|\.body\b|ReadAll|\.Content\b|\birm\b/.test(near);
    },
  },
  {
    id: "DLX-018",
    version: 2,
    severity: "critical",
    title: "Carries out tasks from elsewhere",
    why: "Fetches files or messages of a fixed place again and again and runs their text as commands.",
    owasp: ["ASI05", "ASI10", "ASI04"],
    decoded: false,
    applies: ({ kind }) => kind === "script",
    checkFile: (file) => {
      if (has(file, ASKS)) return [];
      const messages = has(file, MESSAGES) && !has(file, CHECKS_SENDER) ? findAll(file, [RUNS_PART]) : [];
      return messages.length > 0 ? messages : findAll(file, [RUNS_TEXT, PULLS, FIXED_PLACE, BACK_OR_AGAIN]);
    },
  },
]);

function findSpreading(file: ScanFile) {
  const machines = has(file, /known_hosts/) && !has(file, ASKS) ? findAll(file, [OWN_TEXT, REACHES_MACHINES]) : [];
  if (machines.length > 0) return machines;
  if (!has(file, /skill|memory\.md|soul\.md|agents\.md|claude\.md/i) || !has(file, WRITES) || has(file, ASKS))
    return [];
  const memory = findAll(file, [MEMORY_ORDER, MEMORIES]);
  if (memory.length > 0) return memory;
  const isEachRepository = has(file, EACH_REPOSITORY) && has(file, /skills["'`/]/);
  if (isEachRepository) {
    const spread = copiedFolder(file);
    if (spread.length > 0) return spread;
  }
  if (!(has(file, EACH_SKILL) || (has(file, LISTS_FOLDER) && has(file, /skills["'`]/))) || !has(file, /SKILL\.md/i))
    return [];
  const copied = findAll(file, [OWN_TEXT]);
  if (copied.length > 0) return copied;
  const folder = has(file, OTHER_PLACES) ? copiedFolder(file) : [];
  if (folder.length > 0) return folder;
  const order = ORDER.exec(file.text);
  return order !== null &&
    PAYLOAD.test(file.text.slice(order.index, order.index + order[0].length + 100)) &&
    has(
      file,
      /write_text\([^\n]{0,60}\+|append|>>|tee -a|["']a["']|sed -i|Add-Content|writeFile\w{0,6}\([^\n]{0,120}\+/,
    )
    ? [{ start: order.index, end: order.index + order[0].length }]
    : [];
}

/** An installer copies itself into the agent's folder; a worm also goes into repositories and other skills. */
function copiedFolder({ text }: ScanFile) {
  const names = [...text.matchAll(OWN_FOLDER)].slice(0, 5).map(([, name = ""]) => name);
  const own = ["__dirname", "import\\.meta\\.\\w+", "PSScriptRoot", "__dir__", ...names].join("|");
  const match = new RegExp(`${COPIES_FOLDER.source}\\$?\\{?\\b(?:${own})\\b`).exec(text);
  return match === null ? [] : [{ start: match.index, end: match.index + match[0].length }];
}
