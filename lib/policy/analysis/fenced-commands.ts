import type { AnalysisStep } from "./schema";

type CommandStep = Extract<AnalysisStep, { kind: "command" }>;

/** `other`: a language that agents execute and dry runs cannot. */
type Language = CommandStep["language"] | "other";

const NAMES: Record<Language, string> = {
  sh: "sh bash shell zsh ksh dash fish console terminal shellsession",
  python: "py python python3 pycon",
  node: "js javascript node mjs cjs",
  other:
    "rb ruby pl perl php powershell pwsh ps1 ps bat batch cmd dos lua ts typescript deno bun r applescript osascript jxa make makefile go nu " +
    "vbs vbscript ipython jupyter java kotlin scala groovy rust swift c cpp csharp awk sql tcl elixir julia clojure haskell dockerfile docker",
};
const LANGUAGES = new Map(
  (Object.keys(NAMES) as Language[]).flatMap((language) =>
    NAMES[language].split(" ").map((name): [string, Language] => [name, language]),
  ),
);

const PROGRAMS = new Set(
  [
    "curl wget nc ncat netcat socat telnet ftp sftp ssh scp rsync dig nslookup host ping openssl gpg base64 base32 xxd",
    "sh bash zsh dash ksh fish env eval exec source export sudo doas su nohup time timeout command alias trap set",
    "python python2 python3 pip pip3 pipx uv uvx poetry conda node npm npx pnpm yarn bun bunx deno ruby gem perl php",
    "go cargo rustc java mvn gradle dotnet make cmake gcc cc git gh glab svn docker podman kubectl helm terraform",
    "aws gcloud az brew apt apt-get dnf yum apk pacman snap systemctl service launchctl crontab osascript defaults",
    "security open xdg-open powershell pwsh cmd psql mysql sqlite3 redis-cli ffmpeg convert magick pandoc jq yq",
    "cd ls cat echo printf read cp mv rm mkdir rmdir touch ln chmod chown tee dd find xargs grep rg sed awk sort head",
    "tail cut tr tar zip unzip gzip gunzip kill pkill killall ps id whoami hostname uname printenv test if for while",
    "[ [[ : true false aria2c xh http https busybox lynx claude codex gemini openclaw clawhub code",
  ].flatMap((line) => line.split(" ")),
);

/** Commands of Windows. */
const OTHER_PROGRAMS =
  /^(?:iwr|irm|iex|invoke-\w+|start-process|new-object|set-executionpolicy|certutil|bitsadmin|schtasks|reg|rundll32|regsvr32|mshta|wscript|cscript|wmic)(?:\.exe)?$/i;

const FIRST_WORD =
  /(?:[({!][ \t]{0,20})*(?:(?:[$%#❯➜]|sudo|doas|env|exec|nohup|command|-\w|[A-Za-z_]\w{0,60}=[^\s$`(]{0,200})[ \t]{1,20}){0,30}([^\s;|&<>()]{1,200})/y;
const CODE =
  /import [\w.{*"']|from [\w.]+ import\b|#!|<\?php|(?:const|let|var) [\w{ },]{1,80}= ?(?:await )?(?:require|import|fetch)\b|(?:subprocess|os|child_process)\.\w|(?:exec|eval|system)\(|(?:- )?["']?(?:run|command|cmd|entrypoint|(?:pre|post)install)["']?[ \t]{0,9}[:=][ \t]*\S|(?:RUN|CMD|ENTRYPOINT) \S/y;

/** What a line outside of a block with a language is, to an agent: a shell command, code of another language or neither. */
function kindOfLine(text: string, at: number): "sh" | "other" | null {
  CODE.lastIndex = at;
  if (CODE.test(text)) return "other";
  if (/[$%❯➜]/.test(text[at] ?? "") && text[at + 1] === " ") return "sh";
  FIRST_WORD.lastIndex = at;
  const word = (FIRST_WORD.exec(text)?.[1] ?? "").replace(/^["'\\]+|["']+$/g, "");
  if (OTHER_PROGRAMS.test(word) || /^PS |^[A-Z]:\\|^In \[\d/.test(text.slice(at, at + 8))) return "other";
  if (/^\$\{?[A-Za-z_]\w*\}?$/.test(word)) return "sh";
  if (/^[A-Za-z_]\w*="?[$`]/.test(word) || /^(\.{1,2}|~)\/./.test(word)) return "sh";
  const isFile = word.includes("/") && /\.(sh|bash|py|js|mjs|cjs|rb|pl)$/.test(word);
  COMMAND_LIKE.lastIndex = FIRST_WORD.lastIndex;
  if (/^(?:\/(?:opt|usr|bin|tmp|home)\/|[a-z])[\w.+/-]{0,80}$/.test(word) && COMMAND_LIKE.test(text)) return "sh";
  return isFile || PROGRAMS.has(word.slice(word.lastIndexOf("/") + 1)) ? "sh" : null;
}

/** What follows the name of a program: an option, a path, an address, or what a shell does with its output. */
const COMMAND_LIKE =
  /[^\n]{0,200}?(?:[ \t]--?[A-Za-z][\w-]*(?=[\s=]|$)|[ \t](?:~|\.{0,2})\/[\w.]|https?:\/\/|[ \t](?:\||&&|\|\||>>?)[ \t]|["' \t]\$[A-Za-z({])/y;

/** What stands before the text of a line: marks of quotes and list items, and blanks. Columns count from the last `>`; `indent` is that of the first mark of an item. */
type Prefix = { quotes: number; column: number; indent: number; isItem: boolean; at: number };

/** Also those that only look so. */
const BLANKS = new Set(" \v\f\u00a0\u2002\u2003\u2009\u200b\u200c\u200d\u2060\u3000\ufeff");

function readPrefix(text: string, from: number, to: number): Prefix {
  const prefix: Prefix = { quotes: 0, column: 0, indent: 0, isItem: false, at: from };
  while (prefix.at < to) {
    const char = text[prefix.at];
    let width = 1;
    if (char === "\t") prefix.column += 4 - (prefix.column % 4);
    else if (char === ">") {
      prefix.quotes += 1;
      prefix.column = 0;
      prefix.isItem = false;
      if (text[prefix.at + 1] === " ") width = 2;
    } else {
      if (!BLANKS.has(char ?? "")) {
        width = markerWidth(text, prefix.at);
        if (width === 0) break;
        if (!prefix.isItem) prefix.indent = prefix.column;
        prefix.isItem = true;
      }
      prefix.column += width;
    }
    prefix.at += width;
  }
  return prefix;
}

const MARKER = /(?:[-*+]|\d{1,9}[.)])(?=[ \t])/y;

function markerWidth(text: string, at: number): number {
  MARKER.lastIndex = at;
  return MARKER.exec(text)?.[0].length ?? 0;
}

type Fence = { mark: string; length: number; info: string };

function readFence(text: string, at: number, to: number): Fence | null {
  const mark = text[at] ?? "";
  if ((mark !== "`" && mark !== "~") || text[at + 1] !== mark || text[at + 2] !== mark) return null;
  let end = at + 3;
  while (text[end] === mark) end += 1;
  return { mark, length: end - at, info: text.slice(end, to).trim().slice(0, 1_000) };
}

const FIRST_NAME = /^[^a-z0-9]*(?:lang(?:uage)?[^a-z0-9]+)?([a-z0-9+#]+)/;

/** The language of an info string such as `sh`, `sh,run`, `bash title=x`, `language-sh` and `{#id .bash}`. */
function languageOf(info: string): Language | null {
  const plain = LANGUAGES.get(info);
  if (plain !== undefined || info === "") return plain ?? null;
  const words = info.slice(0, 200).toLowerCase();
  if (!info.startsWith("{")) return LANGUAGES.get(FIRST_NAME.exec(words)?.[1] ?? "") ?? null;
  const found = words.match(/[a-z0-9+#]+/g)?.find((word) => LANGUAGES.has(word));
  return LANGUAGES.get(found ?? "") ?? null;
}

type Block = {
  fence: Fence;
  place: Prefix;
  language: Language | null;
  /** Of the text: where it begins, its line, and what is known of it so far. */
  from: number;
  line: number;
  isEmpty: boolean;
  hasShell: boolean;
  hasCode: boolean;
  /** A mark in it may be its end, or the begin of another block, to other readers. */
  isDoubtful: boolean;
  /** The block of no executed language in which it stands. */
  outer: Block | null;
};

type Begun = Pick<Block, "fence" | "place" | "language" | "outer">;

function blockAt({ fence, place, language, outer }: Begun, from: number, line: number): Block {
  return {
    fence,
    place,
    language,
    outer,
    from,
    line,
    isEmpty: true,
    hasShell: false,
    hasCode: false,
    isDoubtful: false,
  };
}

/** Whether a line is outside the quote or list item in which the block began. */
function leaves({ place: block }: Block, line: Prefix, isEmpty: boolean): boolean {
  if (line.quotes !== block.quotes) return line.quotes < block.quotes;
  return !isEmpty && (line.isItem ? line.indent : line.column) < block.column - (block.isItem ? 0 : 3);
}

const MAX_COMMAND = 16_000;
const OTHER_INTERPRETER = /^\s*#![^\n]{0,200}\b(?:python|node|ruby|perl|php|deno|bun|pwsh|osascript)/;

/**
 * The fenced blocks of a Markdown text that an agent would execute, by their language or by what they contain, those whose
 * place is wanted. `leftOut` counts the others, and blocks of which a part may be missing. Also finds fences in lists
 * and quotes, and where readers differ about the end of a block, it is counted. Takes time linear in the text.
 */
export function fencedCommands(
  path: string,
  source: string,
  isWanted: (line: number) => boolean,
): { commands: CommandStep[]; leftOut: number } {
  const text = source.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const commands: CommandStep[] = [];
  let leftOut = 0;
  let block: Block | null = null;

  const finish = (ended: Block, to: number) => {
    const language = ended.language ?? (ended.hasShell ? "sh" : ended.hasCode ? "other" : null);
    if (ended.isDoubtful || (ended.hasShell && ended.hasCode)) leftOut += 1;
    if (ended.isEmpty || language === null) return;
    const isLong = to - ended.from > MAX_COMMAND * 20;
    if (language === "other" || isLong || !isWanted(ended.line)) {
      leftOut += 1;
      return;
    }
    const body = stripPrefixes(text.slice(ended.from, Math.max(ended.from, to - 1)), ended.place);
    const { command, isPartial } = readTranscript(body, ended.fence.info, kindOfLine);
    const isOther = language === "sh" && OTHER_INTERPRETER.test(command);
    if (command.length > MAX_COMMAND || isPartial || isOther) leftOut += 1;
    if (command.length <= MAX_COMMAND && command.trim() !== "")
      commands.push({ kind: "command", path, line: ended.line, language, text: command });
  };

  let number = 0;
  // The next mark within a line, which is no fence to Markdown and may be one to an agent.
  let inline = text.indexOf("```");
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf("\n", from);
    const to = newline === -1 ? text.length : newline;
    number += 1;
    const prefix = readPrefix(text, from, to);
    const isEmpty = prefix.at === to;
    while (block !== null && leaves(block, prefix, isEmpty)) {
      finish(block, from);
      block = block.outer && blockAt(block.outer, from, number);
    }
    const fence = isEmpty ? null : readFence(text, prefix.at, to);
    if (inline !== -1 && inline < prefix.at) inline = text.indexOf("```", prefix.at);
    if (block === null && fence === null && inline !== -1 && inline < to) {
      const info = readFence(text, inline, to)?.info ?? "";
      if (info === "" || (languageOf(info) ?? kindOfLine(info, 0)) !== null) leftOut += 1;
    }
    if (fence === null) {
      if (block !== null && !isEmpty) {
        block.isEmpty = false;
        if (block.language === null && !(block.hasShell && block.hasCode)) {
          const kind = kindOfLine(text, prefix.at);
          if (kind === "sh") block.hasShell = true;
          if (kind === "other") block.hasCode = true;
        }
      }
    } else if (fence.mark === "`" && fence.info.includes("```")) {
      // Code within a line.
      if (block === null && (languageOf(fence.info) ?? kindOfLine(fence.info, 0)) !== null) leftOut += 1;
      if (block !== null) block.isEmpty = false;
    } else {
      const couldEnd: boolean = block !== null && fence.mark === block.fence.mark && fence.length >= block.fence.length;
      const isEnd = couldEnd && fence.info === "" && !prefix.isItem && prefix.quotes === block?.place.quotes;
      const language = languageOf(fence.info);
      if (block !== null && isEnd && prefix.column <= block.place.column + 3) {
        if (prefix.column !== block.place.column) block.isDoubtful = true;
        finish(block, from);
        block = block.outer && blockAt(block.outer, to + 1, number + 1);
      } else if (block === null || (language !== null && (couldEnd || block.language === null))) {
        if (block !== null) finish(block, from);
        block = blockAt({ fence, place: prefix, language, outer: couldEnd ? null : block }, to + 1, number + 1);
      } else {
        block.isEmpty = false;
        if (block.language !== null || couldEnd || block.hasShell) block.isDoubtful = true;
      }
    }
    from = to + 1;
  }
  for (; block !== null; block = null) finish(block, text.length + 1);
  return { commands, leftOut };
}

/** The lines of a block without the marks of its quotes, and without its indentation. */
function stripPrefixes(body: string, { quotes, column }: Prefix): string[] {
  return body.split("\n").map((line) => {
    let at = 0;
    for (let quote = 0; quote < quotes; quote += 1) at = (/[ \t]*>? ?/y.exec(line.slice(at))?.[0].length ?? 0) + at;
    let width = 0;
    for (; width < column && (line[at] === "\t" || BLANKS.has(line[at] ?? "")); at += 1)
      width += line[at] === "\t" ? 4 - (width % 4) : 1;
    return " ".repeat(Math.max(0, width - column)) + line.slice(at);
  });
}

type KindOfLine = (text: string, at: number) => "sh" | "other" | null;

/** `$ `, `% `, `>>> `, `me@host:~$ `, `[me@host ~]# `, `bash-5.1$ `, `~/src $ `, `Mac:~ me$ `, `➜ ~ ` and `➜ src git:(main) ✗ `. */
const PROMPT = new RegExp(
  String.raw`^[ \t]{0,20}(?:\([\w.-]{1,40}\) ?)?(?:(?:${[
    String.raw`\[[^\]]{1,80}\]`,
    String.raw`[\w.-]{1,60}@[\w.-]{1,60}[^\s$#%>]{0,80}(?: [~/][^\s$#%>]{0,80})?`,
    String.raw`\w{2,5}-\d[\d.]{0,8}`,
    String.raw`[~/][^\s$#%>]{0,80}`,
    String.raw`[\w.-]{1,60}:[~/]\S{0,80} [\w.-]{1,60}`,
  ].join("|")}) ?[$#%>]|[➜❯][ \t]+(?:~\S{0,80}|\S{1,60} git:\([^)]{1,80}\))(?: ✗)?|[$%❯➜λ]|>>>)[ \t\u00a0]+(?=\S)`,
);
/** Of PowerShell, the command line of Windows and IPython, whose commands no dry run executes. */
const OTHER_PROMPT = /^[ \t]{0,20}(?:PS [A-Z]:\\[^>]{0,200}>|[A-Z]:\\[^>]{0,200}>|In \[\d{1,5}\]:)/;
const ROOT_PROMPT = /^[ \t]{0,20}#[ \t]+(?=\S)/;
const CONTINUED = /^[ \t]{0,20}(?:>|\.\.\.)(?:[ \t]|$)/;
const HEREDOC = /(?<!<)<<(?!<)-?[ \t]{0,20}\\?["']?([\w.-]{1,100})/;

/**
 * The command of a fenced block. Of a transcript, whose first line that is not empty has a prompt, it is the lines with a
 * prompt and those that continue them. `isPartial`: a line that may be a command too would not be executed as one.
 */
function readTranscript(
  lines: readonly string[],
  info: string,
  kindOfLine: KindOfLine,
): { command: string; isPartial: boolean } {
  const isSession = /^\W*(console|terminal|shell-?session|\w+-session)/i.test(info);
  const promptOf = (line: string): string | null => {
    const found = PROMPT.exec(line)?.[0];
    if (found !== undefined) return line.slice(found.length);
    const root = isSession ? ROOT_PROMPT.exec(line)?.[0] : undefined;
    return root !== undefined && kindOfLine(line, root.length) !== null ? line.slice(root.length) : null;
  };
  const isCommand = (line: string) => kindOfLine(line, line.search(/\S|$/)) !== null;
  const first = lines.find((line) => line.trim() !== "") ?? "";
  if (OTHER_PROMPT.test(first)) return { command: "", isPartial: true };
  if (promptOf(first) === null) {
    const isMarked = (line: string) => CONTINUED.test(line) && isCommand(line.replace(CONTINUED, ""));
    return { command: lines.join("\n"), isPartial: lines.some((line) => promptOf(line) !== null || isMarked(line)) };
  }
  const kept: string[] = [];
  let isPartial = false;
  let end: string | null = null;
  let isContinued = false;
  for (const line of lines) {
    const prompted: string | null = end === null ? promptOf(line) : null;
    const marked: boolean = isContinued && CONTINUED.test(line);
    if (prompted === null && !marked && end === null && !kept.at(-1)?.endsWith("\\")) {
      isContinued = false;
      if (line.trim() !== "" && isCommand(line)) isPartial = true;
      continue;
    }
    const command: string = prompted ?? (marked ? line.replace(CONTINUED, "") : line);
    kept.push(command);
    isContinued = marked || prompted !== null || end !== null;
    if (end !== null) {
      if (command.trim() === end) [end, isContinued] = [null, false];
    } else end = HEREDOC.exec(command)?.[1] ?? null;
  }
  const command = kept.join("\n");
  const isOpen = end !== null || ['"', "'"].some((quote) => command.split(quote).length % 2 === 0);
  return { command, isPartial: isPartial || isOpen };
}
