import type { Match, Rule } from "../scan/rule";
import { has, isKnownInstaller, isNamesake, isOwnOrPlaceholder, SINK } from "./evidence";
import { rulesOf } from "./rule-rows";
import { hitsOf } from "./value-flows";

const ADDRESS = String.raw`(?:https?:|\$|[a-z0-9-]+\.[a-z]{2,}/|\d+\.\d+\.\d+\.\d+)`;
const DECODE = String.raw`(?:base64|gbase64)\s+(?:-\w*[dD]\w*|--decode)|openssl\s+(?:enc\s+-d|base64\s+-d)|xxd\s+-r|base32\s+-d`;
const SHELL = String.raw`(?:sudo\s+(?:-\S+\s+)*)?(?:/(?:usr/)?bin/(?:env\s+)?)?(?:(?:ba|z|da|k|fi)?sh\b|python[\d.]*|perl|ruby|node|php|osascript)`;
const PY_DECODE = String.raw`(?:b64decode|b32decode|b85decode|a85decode|fromhex|unhexlify|decodebytes|codecs\.decode|zlib\.decompress|lzma\.decompress|marshal\.loads|rot13)`;

export const DOWNLOAD_AND_RUN: Rule[] = rulesOf([
  {
    id: "DLX-001",
    version: 3,
    severity: "critical",
    title: "Download piped into a shell",
    why: "Runs a download without showing it. The content at that address can change at any time.",
    owasp: ["ASI04", "ASI05", "LLM03"],
    asBad: "info",
    patterns: [
      {
        lines: 6,
        hints: ["curl", "wget", "fetch", "aria2c", "lynx"],
        re: String.raw`(?:\b|\\[nt])(?:curl|wget|fetch|aria2c|lynx)\b(?:[^\n|]|\\\n|\|\s*(?:tac|rev|tr|sed|base64|gunzip|zcat|gzip|tee|xxd|openssl)\b)*?${ADDRESS}(?:[^\n|]|\\\n)*(?:\|\s*(?:tac|rev|tr|sed|base64|gunzip|zcat|gzip|tee|xxd|openssl)\b[^\n|]*)*\|\s*(?:\\\n\s*)?(?:sudo\s+(?:-\S+\s+)*)?(?:env\s+\S+\s+|nohup\s+|exec\s+)?(?:/(?:usr/)?(?:local/)?bin/(?:env\s+)?)?(?:(?:ba|z|da|k|fi)?sh\b(?:\s|$|["'\x60;&|)<\\])|(?:python[\d.]*|node|perl|ruby|php|osascript|bun|deno)(?:\s+(?:-[uiBESsx]+|--[\w-]+(?:=[\w./-]+)?))*(?:\s+-\s|\s*(?:-\s*)?(?:$|["'\x60;&|)\\>]|2>)))`,
        weigh: weighInstaller,
      },
      {
        hints: ["iwr", "irm", "invoke-webrequest", "invoke-restmethod", "downloadstring"],
        re: String.raw`(?:\b(?:iwr|irm|invoke-webrequest|invoke-restmethod)\b|downloadstring\s*\()[^\n|]*\|\s*(?:iex|invoke-expression)\b`,
        weigh: weighInstaller,
      },
    ],
  },
  {
    id: "DLX-002",
    version: 5,
    severity: "critical",
    title: "Download evaluated as code",
    why: "Runs a download without showing it. The content at that address can change at any time.",
    owasp: ["ASI04", "ASI05", "LLM03"],
    asBad: "info",
    patterns: [
      {
        hints: ["curl", "wget"],
        re: String.raw`(?:\b(?:ba|z|da|k)?sh\s+(?:-\w+\s+)*["']?\$\(\s*|\b(?:ba|z|da|k)?sh\s+(?:-\w+\s+)*<\(\s*|\bsource\s+<\(\s*|(?:^|[\s;&"'])\.\s+<\(\s*|\beval\s+["']?(?:\$\(|\x60)\s*|\bpython[\d.]*\s+(?:-c\s+)?["']?(?:\$|<)\(\s*|\bnode\s+-e\s+["']?\$\(\s*|(?:\b(?:ba|z)?sh\s+-c\s+["']?\x60))(?:sudo\s+)?(?:curl|wget)\b[^\n)]*`,
        weigh: ({ text }) => {
          const parts = text.slice(text.search(/curl|wget/i));
          return isKnownInstaller(parts) || isOwnOrPlaceholder(parts) ? "medium" : true;
        },
      },
      {
        // A server that the client of the agent starts.
        hints: ["npx", "bunx", "uvx", "pipx", "pnpm"],
        re: String.raw`["'](?:npx|bunx|uvx|pipx|pnpm)["']\s*,\s*["']?args["']?\s*:\s*\[[^\]\n]{0,80}["'](?:git\+)?https?://[^\s"']+`,
        weigh: ({ text }) =>
          isKnownInstaller(text) || isOwnOrPlaceholder(text) || /\/\/(?:github\.com|registry\.npmjs\.org)\//.test(text)
            ? "medium"
            : true,
      },
      {
        hints: ["iex", "invoke-expression"],
        re: String.raw`\b(?:iex|invoke-expression)\b[\s(&"'$]*(?:\(?\s*(?:iwr|irm|curl|invoke-webrequest|invoke-restmethod)\b|\(?\s*\(?\s*new-object\s+(?:system\.)?net\.webclient\s*\)?\s*\)?\.downloadstring)[^\n]*`,
        weigh: ({ text }) => (isKnownInstaller(text) ? "medium" : true),
      },
      {
        hints: ["bun ", "deno run", "npx ", "php ", "uvx "],
        re: String.raw`\b(?:bun\s+(?:run\s+|x\s+)?|deno\s+run\s+(?:-\S+\s+)*|npx\s+(?:-\S+\s+)*|uvx\s+(?:-\S+\s+)*|php\s+)["']?https?://[^\s"']+`,
        weigh: ({ text }) =>
          isKnownInstaller(text) ||
          isOwnOrPlaceholder(text) ||
          /\/\/(?:deno\.land|esm\.sh|jsr\.io|github\.com)\//.test(text)
            ? "medium"
            : true,
      },
      {
        // What a host says now becomes part of the user's cluster, without output.
        hints: ["kubectl"],
        re: String.raw`\bkubectl\s[^\n;|&]{0,80}\b(?:apply|create|replace)\s[^\n;|&]{0,80}(?:-f|--filename)[ =]\s*["']?https?://[^\s"']+["']?[^\n]*(?:>\s*/dev/null|&>)[^\n]*`,
        weigh: ({ text, file }) => file.kind === "script" && !isOwnOrPlaceholder(text),
      },
      {
        // A program that is in no file.
        hints: ["memfd_create"],
        re: String.raw`\bmemfd_create\b[^\n]*`,
        weigh: ({ file }) =>
          file.kind === "script" &&
          has(file, /\bexecve?\b|fexecve|\/proc\/self\/fd|subprocess|os\.exec/) &&
          has(file, /urlopen|requests\.get|http|socket|b64decode|curl/),
      },
      {
        hints: ["exec", "eval"],
        re: String.raw`\b(?:exec|eval)\s*\(\s*(?:compile\s*\(\s*)?(?:(?:urllib\.(?:request|urlopen)|urllib2|request)\.?(?:urlopen)?|urlopen|requests\.get|httpx\.get|await\s*\(?\s*(?:await\s+)?fetch|__import__\(\s*["'](?:urllib|requests)[^)]*\)[.\w]*)\s*\(`,
      },
      {
        lines: 8,
        hints: ["urlopen", "requests.get", "fetch(", "axios"],
        re: String.raw`(?:\b(?:new\s+Function|eval|vm\.runIn\w+)\s*\(\s*(?:await\s*\(?\s*)+(?:await\s+)?(?:fetch|axios)|=\s*(?:requests\.get|urllib\.request\.urlopen|urlopen|httpx\.get)\(["'][^\n]{4,200}\n(?:[^\n]*\n){0,4}?[^\n]*\b(?:exec|eval)\s*\(\s*(?:\w+\.(?:text|content|read\(\))|compile\()|\bawait\s+\(?(?:await\s+)?fetch\([^\n]{4,200}\n(?:[^\n]*\n){0,4}?[^\n]*\b(?:eval|new\s+Function|vm\.runIn\w+)\s*\()`,
      },
    ],
  },
  {
    id: "DLX-003",
    version: 2,
    severity: "critical",
    title: "Decoded and executed",
    why: "The command is encoded so that a reader cannot see it, and decoded only to run.",
    owasp: ["ASI05", "ASI04"],
    asBad: "info",
    // Also decoded in several steps, from numbers, or from packed text.
    checkFile: (file) => (file.kind === "script" ? hitsOf(file, "coded") : []),
    patterns: [
      {
        hints: ["base64", "openssl", "xxd", "base32"],
        re: String.raw`(?:${DECODE})[^\n|]*(?:\|\s*(?:gunzip|gzip\s+-d|zcat|tr|rev|xxd)[^\n|]*)*\|\s*${SHELL}`,
        weigh: ({ text, after }) => {
          // `… | base64 -d | python3 -m json.tool` and `python3 -c "…"` read the decoded text as data.
          return !(
            /(?:python[\d.]*|node|perl|ruby|php)$/i.test(text) && /^\s+(?:-m|-c|-e|-p|-n|[\w./]+\.\w+)/.test(after)
          );
        },
      },
      {
        hints: ["base64", "openssl", "xxd"],
        re: String.raw`(?:\beval\s+["']?(?:\$\(|\x60)|\b(?:ba|z|da)?sh\s+(?:-c\s+)?["']?(?:\$\(|\x60|<\(|<<<\s*["']?\$\()|\bsource\s+<\(|\bpython[\d.]*\s+-c\s+["']?\$\()[^\n]*(?:${DECODE})`,
      },
      {
        hints: ["decode", "fromhex", "unhexlify", "decompress", "marshal", "rot13"],
        re: String.raw`\b(?:exec|eval|compile|os\.system|os\.popen|subprocess\.(?:run|call|popen|check_output|check_call|getoutput))\s*\([^\n]{0,120}\b${PY_DECODE}\s*\(`,
        weigh: ({ text }) => !/input=|stdin=/.test(text),
      },
      {
        lines: 9,
        hints: ["b64decode", "fromhex", "unhexlify", "decompress"],
        re: String.raw`^[ \t]*(\w+)\s*=\s*[^\n]{0,160}\b(?:b64decode|fromhex|unhexlify|zlib\.decompress)\s*\([^\n]*\n(?:[^\n]*\n){0,6}?[^\n]*\b(?:exec|eval|os\.system)\s*\(\s*(\w+)`,
        weigh: ({ groups: [decoded, run] }) => decoded !== undefined && decoded === run,
      },
      {
        hints: ["atob", "base64", "frombase64string"],
        re: String.raw`(?:\b(?:eval|Function|exec(?:Sync|File|FileSync)?|spawn(?:Sync)?|vm\.runIn\w+|assert|system|shell_exec|passthru)\s*\(\s*[^\n]{0,100}(?:\batob\s*\(|Buffer\.from\s*\([^)\n]*["']base64["']|base64_decode\s*\(|Base64\.decode64)|(?:iex|invoke-expression)[^\n]{0,160}FromBase64String|FromBase64String[^\n]{0,200}\|\s*(?:iex|invoke-expression))`,
      },
    ],
  },
  {
    id: "DLX-004",
    severity: "critical",
    title: "Encoded or hidden PowerShell",
    why: "The command is encoded or its window is hidden, so the user does not see what runs.",
    owasp: ["ASI05", "ASI09"],
    asBad: "info",
    patterns: [
      {
        hints: ["powershell", "pwsh"],
        re: String.raw`\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]*\s[-/](?:e|ec|en|enc|enco\w*)\s+["']?[a-z0-9+/=$]{16,}`,
      },
      {
        hints: ["powershell", "pwsh"],
        re: String.raw`\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]*\s[-/]w(?:in\w*)?\s+(?:hidden|hid|1)\b`,
      },
      {
        hints: ["windowstyle", "vbhide", "sw_hide"],
        re: String.raw`\bStart-Process\b[^\n]*-WindowStyle\s+Hidden[^\n]*(?:https?:|-e(?:nc\w*)?\s|\biex\b|download|\.ps1|powershell)|WScript\.Shell["')\]]*\.Run\b[^\n]*,\s*0\b`,
      },
    ],
  },
  {
    id: "DLX-016",
    severity: "critical",
    title: "A Windows tool runs remote or hidden code",
    why: "Runs code through a program of Windows, so that virus scanners do not inspect it, or switches their inspection off.",
    owasp: ["ASI05", "ASI04"],
    asBad: "info",
    patterns: [
      {
        hints: ["mshta", "regsvr32", "rundll32", "msiexec", "wmic", "bitsadmin", "certutil", "forfiles", "scrobj"],
        re: String.raw`\bmshta(?:\.exe)?\s+["']?(?:https?:|javascript:|vbscript:|\\\\)|\bregsvr32(?:\.exe)?\s[^\n]*/i:["']?https?:|\brundll32(?:\.exe)?\s+["']?(?:javascript:|\\\\[\w.]+\\)|\bwmic\b[^\n]*process\s+call\s+create[^\n]*(?:powershell|https?:|mshta|%temp%)|\bcertutil(?:\.exe)?\s[^\n]*-urlcache[^\n]*&&?[^\n]*(?:start|rundll32|regsvr32|\.exe|\.bat)|\bforfiles\b[^\n]*/c\s[^\n]*(?:powershell|mshta|https?:)`,
      },
      {
        hints: ["rundll32", "regsvr32", "msiexec", "installutil", "cscript", "wscript"],
        re: String.raw`\b(?:rundll32|regsvr32|msiexec|installutil|cscript|wscript)(?:\.exe)?\s[^\n]*(?:%(?:temp|tmp|appdata|localappdata|public|programdata)%|\$env:(?:temp|appdata|localappdata|public)|https?:)[^\n]*`,
        weigh: ({ text, file }) =>
          /https?:/.test(text)
            ? !isKnownInstaller(text)
            : has(file, /-urlcache|bitsadmin|DownloadFile|-OutFile|Start-BitsTransfer|\bcurl\b[^\n]{0,200}\s-o/i) ||
              "high",
      },
      {
        // Also in the view of joined string literals: .('i' + 'ex') $text
        hints: ["iex", "invoke-expression"],
        re: String.raw`[.&]\s*\(?\s*["'](?:iex|invoke-expression)["']\s*\)?\s*\(?\s*\$`,
      },
      {
        hints: ["amsi", "etweventwrite"],
        re: String.raw`\bamsi(?:InitFailed|Utils|ScanBuffer|Context)\b|['"]ams['"]\s*\+\s*['"]i|A\*siUtils|\bEtwEventWrite\b`,
      },
    ],
  },
  {
    id: "DLX-011",
    version: 3,
    severity: "high",
    title: "Downloaded, made executable and run",
    why: "Runs a file from the network as soon as it is downloaded, or turns off the system's check of it.",
    owasp: ["ASI04", "ASI05"],
    asBad: "info",
    patterns: [
      {
        lines: 8,
        hints: ["curl", "wget"],
        re: String.raw`\b(?:curl|wget)\b[^\n]*(?:\s-[a-z]*[oO]\s*|\s--output[= ]|\s--output-document[= ]|>\s*)["']?([^\s"';&|]+)["']?[^\n]*(?:\n[^\n]*){0,4}?(?:&&|;|\n)\s*(?:sudo\s+)?(?:chmod\s+(?:\+x|[0-7]*[1357][0-7]*|a\+x|u\+x)\s+["']?([^\s"';&|]+)["']?\s*(?:&&|;|\n)\s*)?(?:sudo\s+)?(?:nohup\s+|(?:ba|z|da)?sh\s+|python[\d.]*\s+|node\s+|perl\s+|source\s+|\.\s+|exec\s+|open\s+)?["']?((?:\./|/|~/|\$)?[^\s"';&|]+)`,
        weigh: (match) => {
          const [saved = "", , run = ""] = match.groups;
          const same = saved !== "" && nameOf(saved) === nameOf(run) && run !== "";
          return same && !/^(?:chmod|mv|cp|cat|tar|unzip|ls|rm|jq)$/.test(run) ? weighDownload(match) : false;
        },
      },
      {
        // In Go: fetched, written as a program, started.
        hints: ["exec.command", "syscall.exec"],
        re: String.raw`\b(?:exec\.Command|syscall\.Exec)\(`,
        weigh: ({ file }) =>
          file.extension === "go" &&
          has(file, /\bhttp\.Get\(\s*"https?:\/\/(?!localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-]))/) &&
          has(
            file,
            /\bos\.(?:WriteFile|OpenFile|Create)\([^\n]{0,80}(?:"\/(?:tmp|var\/tmp|dev\/shm)|TempDir|"\.)|TempDir\(/,
          ) &&
          has(file, /\b0o?7[0-7][0-7]\b|\bos\.Chmod\(/) &&
          !has(file, /sha(?:256|512)|checksum/i) &&
          "critical",
      },
      {
        hints: ["xattr", "spctl"],
        re: String.raw`\bxattr\s+(?:-\w*c\w*\b|-\w*d\w*\s+com\.apple\.quarantine)[^\n]*|\bspctl\s+--(?:master|global)-disable`,
        weigh: (match) => {
          return /\bxattr\s+-\w*d/.test(match.text) && !/\/tmp\/|curl|wget/.test(match.text) ? "medium" : true;
        },
      },
      {
        lines: 8,
        hints: [
          "urlretrieve",
          "downloadfile",
          "invoke-webrequest",
          "iwr",
          "bitsadmin",
          "certutil",
          "start-bitstransfer",
        ],
        re: String.raw`(?:\burlretrieve\s*\(|\.DownloadFile\s*\(|\b(?:iwr|invoke-webrequest|start-bitstransfer)\b[^\n]*-(?:OutFile|Destination)\b|\bbitsadmin\s+/transfer\b|\bcertutil(?:\.exe)?\s[^\n]*-urlcache\b)[^\n]*(?:\n[^\n]*){0,4}?\b(?:Start-Process|subprocess\.(?:run|Popen|call)|os\.(?:system|startfile|chmod)|Invoke-Item|start\s+["']?%)`,
        weigh: weighDownload,
      },
    ],
  },
]);

function weighInstaller({ text, file }: Match) {
  // An ellipsis in the place of the address runs nothing.
  if (/\b(?:iwr|irm|curl|wget)\s+(?:\.{3}|…)\s*\|/i.test(text) && !/https?:/i.test(text)) return "info";
  // Most tools are installed by their vendor's https installer; it stays a finding of lower severity.
  return isKnownInstaller(text) || isOwnOrPlaceholder(text) || isNamesake(text, file) ? "medium" : true;
}

function weighDownload({ text: matched, after }: Match) {
  const text = `${matched}${after.split("\n", 1)[0]}`;
  if (isOwnOrPlaceholder(text)) return "info";
  if (SINK.test(text)) return "critical";
  if (isKnownInstaller(text)) return "medium";
  const hidden = [
    /\/tmp\/|\/var\/tmp|\/dev\/shm|%temp%|\$env:temp|\/\.[a-z]/i,
    /https?:\/\/\d+\.\d+\.\d+\.\d+|http:\/\/|\s-k\b|--insecure/i,
    /\bnohup\b|>\s*\/dev\/null|&\s*$|\bsetsid\b|\bdisown\b/,
    /\bxattr\s+-\w*[cd]|-WindowStyle\s+Hidden|creationflags|windowsHide/i,
  ].filter((sign) => sign.test(text)).length;
  if (hidden >= 2) return "critical";
  // Programs in a temporary or hidden folder are meant to run once; installed tools are not.
  return /\/tmp\/|\/var\/tmp|\/dev\/shm|%temp%|\$env:temp|\/\.[a-z]|http:\/\/|\s-k\b|--insecure|nohup|&\s*$/i.test(text)
    ? true
    : "medium";
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
