import { compileRulePattern, matchPattern } from "../scan/match-pattern";
import type { Hit, Match, Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { ASKS, has, isNegativeExample, isOwnOrPlaceholder, isPage, isProse, SINK } from "./evidence";
import { rulesOf } from "./rule-rows";
import { BROWSER_STORES, FAR_HOST, findSureLeak, SENDS_BODY } from "./secrets";

const PRIVATE = String.raw`(?:\.ssh\b|\.aws\b|\.kube\b|\.gnupg\b|\.netrc\b|\.npmrc\b|\.git-credentials|/etc/passwd|/etc/shadow|id_rsa|id_ed25519|\.env\b|credentials\b|keychain|_history\b|MEMORY\.md|SOUL\.md|\.openclaw\b|\.claude/|wallet|\$\(\s*(?:env|printenv|whoami|hostname|id|uname|ifconfig|ps|history|cat\s+(?:~|/etc|\$HOME|\.env)|base64\s+[^)]*(?:~|\$HOME|/etc|\.env)|ls\s+-?\w*\s*(?:~|\$HOME|/))|\x60(?:env|printenv|whoami|hostname|id|cat\s+(?:~|/etc|\$HOME|\.env)))`;
const COMMANDS = ["`env", "`printenv", "`whoami", "`hostname", "`id", "`cat", "`base64", "`uname", "`ls", "`history"];

const PRIVATE_HINTS = [
  ...`.ssh .aws .kube .gnupg .netrc .npmrc .git-credentials /etc/ id_rsa id_ed25519 .env credentials keychain _history
  memory.md soul.md .openclaw .claude/ wallet $(`.split(/\s+/),
  ...COMMANDS,
];

const SENDING = String.raw`(?-i:\s-\w*[dFT]\s*["'@\w$\x60\\]|\s--(?:data(?:-\w+)?|form(?:-string)?|upload-file|json|post-file|post-data)[= ])`;
const THINGS = String.raw`(?:credentials?|api[ _-]?keys?|(?:access|auth|session|bearer|api)[ _-]?tokens?|passwords?|secrets|private[ _-]?keys?|ssh[ _-]?keys?|env(?:ironment)?[ _-]?var(?:iable)?s?|\.env\b(?:\s+files?)?|(?:full\s+|entire\s+|complete\s+|whole\s+)?(?:conversation|chat|message|session)\s+(?:history|logs?|transcripts?|contents?|context)|(?:entire|full|whole|complete)\s+(?:conversation|codebase|repository|project|context|prompt)|memory\s+files?|MEMORY\.md|SOUL\.md|system\s+prompt|cookies|browser\s+(?:data|history)|personal\s+(?:data|information)|(?:user|customer|patient|employee)\s+(?:data|records|emails|credentials)|\.ssh|\.aws|wallets?|contents\s+of\s+(?:all|every|each|any|the\s+(?:user|home|workspace|project)))`;
const SAMPLE_HOOK = /your|xxx|\.\.\.|example|T0{5,}|B0{5,}|123456789\b|1234567890|abcdef|<|\$\{|placeholder/i;
const SOURCES = String.raw`json\.dumps\s*\(\s*(?:dict\s*\(\s*)?os\.environ|dict\s*\(\s*os\.environ\s*\)|JSON\.stringify\s*\(\s*process\.env\b|Object\.(?:entries|keys)\s*\(\s*process\.env|for\s+\w+,\s*\w+\s+in\s+os\.environ|in\s+os\.environ\.items|=\s*os\.environ\s*$|=\s*process\.env\s*;?\s*$|(?:\.ssh|\.aws|\.kube|\.gnupg|\.netrc|\.npmrc|\.git-credentials|\.docker/config|Login Data|key4\.db|wallet\.dat|/etc/passwd|_history|MEMORY\.md|SOUL\.md|\.claude/|\.openclaw|id_rsa|\.config/solana)\b|\b(?:env|printenv)\s*(?:\||>|\))|glob\([^)\n]*\.(?:env|pem|key)\b|os\.walk\s*\(\s*(?:os\.path\.expanduser\s*\(\s*["']~|["']/(?:home|Users)?["']|Path\.home)`;
const SENDS = String.raw`\b(?:requests|httpx|session|client|axios|got|superagent)\.(?:post|put|patch)\s*\(|\burlopen\s*\([^)\n]*data\s*=|\burlopen\s*\(\s*["'][^"'\n]{4,200}["']\s*,\s*\w|\bRequest\s*\([^)\n]*data\s*=|method\s*[:=]\s*["'](?:POST|PUT)["']|\bcurl\b[^\n]*(?-i:\s(?:-d|--data|-F|-T|--data-binary|--upload-file|-X\s*(?:POST|PUT)))|\bsock\w*\.send(?:all|to)?\s*\(|\bs\.send(?:all)?\s*\(|\bhttps?\.request\s*\(|\bsmtplib\b|\bftplib\b|\.sendBeacon\s*\(|\bwget\b[^\n]*--post|\bInvoke-(?:WebRequest|RestMethod)\b[^\n]*-Method\s+POST|\bnc(?:at)?\s+[\w.$-]+\s+\d|http\.client\.HTTPS?Connection`;
const WHOLE_ENVIRONMENT = /^(?:json\.dumps|JSON\.stringify)/;

const AGAIN = /\bwhile\s*\(?\s*(?:True|true|1|:)|\bsetInterval\b|\bwhile\s+sleep\b|Start-Sleep|\bschedule\./;

const DATA_WORD =
  /(?<![a-z])(?:secret|token|data|conversation|user_?(?:data|input|message|info)|env|api_?key|key|content|history|context|memory|email|base64|encoded|password|summary|chat|message|session|cookie|private|credentials?|file)s?(?![a-z])/i;

export const EXFILTRATION: Rule[] = rulesOf([
  {
    id: "EXF-001",
    severity: "high",
    title: "Sends private data away",
    why: "Sends files, keys or the conversation to an address in the skill.",
    owasp: ["ASI02", "ASI03", "LLM02"],
    patterns: [
      {
        hints: PRIVATE_HINTS,
        re: String.raw`\b(?:curl|wget|http|https|xh)\b[^\n]*${SENDING}[^\n]*${PRIVATE}[^\n]*`,
        weigh: weighSending,
      },
      {
        hints: ["| curl", "|curl", "| nc", "| ncat", "| wget", "| http"],
        re: String.raw`\b(?:cat|tar|zip|env|printenv|base64|find|grep|history|gzip|security|ls|ps|set)\b[^\n|]*(?:\|[^\n|]*){0,3}\|\s*(?:curl\b[^\n]*(?:@-|-T\s*-|--data-binary|-d\s)[^\n]*|nc(?:at)?\s+(?:-\w+\s+)*[\w.-]+\s+\d+)`,
        weigh: (match) => {
          if (
            !/~|\$HOME|\benv\b|printenv|\.ssh|\.aws|\/etc\/|\/home|\/Users|history|\.env|id_rsa|credential|token|secret|MEMORY|SOUL/i.test(
              match.text,
            ) &&
            !SINK.test(match.text)
          )
            return "medium";
          return weighSending(match);
        },
      },
      {
        hints: ["$(", ...COMMANDS],
        re: String.raw`\b(?:curl|wget)\b[^\n]*https?://[^\s"']*[?&/=][^\s"']*(?:\$\(\s*|\x60)(?:env|printenv|cat|base64|whoami|hostname|id|uname|ls|history)\b[^\n]*`,
        weigh: weighSending,
      },
      {
        hints: ["secret", "token", "password", "key", "credential"],
        re: String.raw`\b(?:curl|wget)\b[^\n]*(?:${SENDING}[^\n]*|https?://[^\s]*[?&][^\s]*)\$\{?[A-Z0-9_]*(?:SECRET|TOKEN|PASSWORD|API_?KEY|PRIVATE_?KEY|CREDENTIALS?|ACCESS_?KEY)[A-Z0-9_]*\}?[^\n]*`,
        // Sending a service its own key is ordinary.
        weigh: (match) =>
          SINK.test(match.line)
            ? weighSending(match)
            : /\bhttp:\/\//i.test(match.line) && !isOwnOrPlaceholder(match.line)
              ? "medium"
              : "info",
      },
      {
        hints: ["curl", "requests.post", "fetch(", "axios"],
        re: String.raw`(?:\bcurl\b[^\n]*${SENDING}[^\n]*|\b(?:requests|httpx|axios|session)\.(?:post|put)\s*\(\s*|\bfetch\s*\(\s*)["'\x60]?https?://[^\s"'\x60]+[^\n]*`,
        weigh: (match) => (SINK.test(match.text) ? weighSending(match) : false),
      },
      {
        hints: [
          "send",
          "upload",
          "post",
          "forward",
          "transmit",
          "exfiltrate",
          "email",
          "submit",
          "leak",
          "copy",
          "sync",
          "deliver",
          "report",
          "back up",
          "backup",
        ],
        re: String.raw`\b(?:send|upload|post|forward|transmit|exfiltrate|e-?mail|submit|leak|deliver|relay|ship|pipe|stream|copy|sync|back\s?up)(?:s|ing)?\s[^.\n]{0,100}?\b${THINGS}[^\n]{0,100}?\b(?:to|at|via|using|with)\s[^\n]{0,60}?(?:https?://[^\s)\x60"']+|[\w.+-]+@[\w-]+\.[\w.]+|\bwebhook)`,
        weigh: weighProse,
      },
      {
        hints: ["http"],
        re: String.raw`\b(?:to|at)\s+[\x60<"(\[]*https?://[^\s)\x60"']+[^\n]{0,40}?\b(?:send|upload|post|include|attach|with|containing)\b[^.\n]{0,60}?\b${THINGS}`,
        weigh: (match) =>
          weighProse(match) && (/\b(?:post|send|upload)\b/i.test(match.line) ? weighProse(match) : "medium"),
      },
    ],
  },
  {
    id: "EXF-002",
    severity: "high",
    title: "Chat webhook",
    why: "The skill contains a message channel of its author, who can read everything sent there.",
    owasp: ["ASI02", "LLM02"],
    patterns: [
      {
        hints: [
          "/api/webhooks/",
          "hooks.slack.com",
          "api.telegram.org",
          "webhook.office.com",
          "open.feishu.cn",
          "oapi.dingtalk.com",
          "qyapi.weixin",
        ],
        re: String.raw`(?:discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{5,}/[\w-]{16,}|hooks\.slack\.com/(?:services|workflows)/T[A-Z0-9]{5,}/[AB][A-Z0-9]{5,}/\w{10,}|api\.telegram\.org/(?:file/)?bot\d{6,}:[\w-]{25,}|[\w-]+\.webhook\.office\.com/webhookb2/[0-9a-f-]{30,}|open\.feishu\.cn/open-apis/bot/v2/hook/[0-9a-f-]{30,}|oapi\.dingtalk\.com/robot/send\?access_token=[0-9a-f]{40,}|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=[0-9a-f-]{30,})`,
        weigh: ({ text }) => !SAMPLE_HOOK.test(text) && new Set(text.slice(-24)).size >= 8,
        asBad: "info",
      },
      {
        hints: ["telegram"],
        re: String.raw`\b(?:bot_?token|telegram_?token|TOKEN)["']?\s*[:=]\s*["']\d{8,10}:[\w-]{35}["']`,
        weigh: ({ text }) => !SAMPLE_HOOK.test(text),
      },
    ],
  },
  {
    id: "EXF-003",
    version: 4,
    severity: "medium",
    title: "Reads private data and sends data",
    why: "The same file reads keys, the environment or private files, and sends data over the network.",
    owasp: ["ASI02", "LLM02"],
    applies: ({ kind }) => kind === "script",
    decoded: false,
    checkFile: (file) => {
      const sure = has(file, ASKS) ? [] : findSureLeak(file);
      if (sure.length > 0) return sure.map((hit) => ({ ...hit, severity: "critical" as const }));
      const source = firstMatch(SOURCES, file);
      const send = source === null ? null : firstMatch(SENDS, file);
      if (source === null || send === null) return [];
      // Serializing the whole environment has no use except sending it.
      const whole = WHOLE_ENVIRONMENT.test(file.text.slice(source.start, source.end));
      const text = `${lineOf(file, source)} … ${lineOf(file, send)}`;
      if (BROWSER_STORES.filter((store) => has(file, store)).length > 1 && has(file, FAR_HOST))
        return [{ ...send, text, severity: "critical" as const }];
      return [{ ...send, text, ...(whole ? { severity: "high" as const } : {}) }];
    },
  },
  {
    id: "EXF-004",
    severity: "medium",
    title: "Data in a DNS lookup",
    why: "Looks up a host name that contains data. The owner of the domain receives it, past most firewalls.",
    owasp: ["ASI02", "LLM02"],
    asBad: "info",
    patterns: [
      {
        hints: ["dig", "nslookup", "host ", "ping"],
        re: String.raw`\b(?:dig|nslookup|host|ping)\s+(?:[+-]\w+\s+(?:\d+\s+)?)*["']?(?:[\w.-]*(?:\$\(|\x60)[^\n]*?(?:\)|\x60)|\$\{?\w+\}?)\.[\w-]+(?:\.[\w-]+)+`,
        weigh: ({ text }) => (/\$\(|`|base64|xxd|encoded|chunk|data|secret|token/i.test(text) ? "high" : true),
      },
      {
        hints: ["gethostby", "getaddrinfo", "dns.resolve", "dns.lookup", "resolver"],
        re: String.raw`\b(?:socket\.(?:gethostbyname|getaddrinfo)|dns\.(?:resolve\w*|lookup)|resolver\.(?:resolve|query))\s*\(\s*(?:f["'][^"'\n]*\{|\x60[^\x60\n]*\$\{|[\w.]+\s*\+\s*["']\.)[^)\n]*\)`,
        weigh: ({ text }) => (/encode|b64|hex|chunk|secret|token|data|payload/i.test(text) ? "high" : true),
      },
    ],
  },
  {
    id: "EXF-005",
    severity: "high",
    title: "Image or link that carries data",
    why: "When the answer is displayed, the client fetches the image and sends the data in its address.",
    owasp: ["ASI02", "LLM02", "LLM05"],
    applies: isProse,
    asBad: "info",
    patterns: [
      {
        hints: ["]("],
        re: String.raw`!\[[^\]\n]*\]\(\s*https?://[^)\s]+?[?&/=](?:\{\{?|\$\{?|<|%7B|\[)[\w .:|-]{2,60}(?:\}\}?|>|\]|%7D)?`,
        weigh: ({ text }) => {
          if (
            isOwnOrPlaceholder(text) ||
            /shields\.io|badge|quickchart|github\.com|githubusercontent|mermaid|kroki|plantuml|placehold|unsplash|pollinations/i.test(
              text,
            )
          )
            return false;
          const carried = text.slice(text.search(/[{$<[](?![^(]*\()/));
          return DATA_WORD.test(carried) && /[?&]/.test(text) ? true : "info";
        },
      },
      {
        hints: ["image", "pixel", "img", "markdown"],
        re: String.raw`\b(?:render|include|add|append|insert|embed|output|display|create)\b[^.\n]{0,60}\b(?:image|img|pixel|markdown\s+(?:image|link))\b[^\n]{0,120}https?://[^\s)\x60"']+[?&=][^\n]{0,80}\b(?:encoded?|base64|conversation|secret|token|data|history|contents?|context)\b`,
        weigh: ({ text }) => !/data:image|shields\.io/.test(text),
      },
    ],
  },
  {
    id: "EXF-010",
    version: 3,
    severity: "critical",
    title: "Records keys or the screen and sends them",
    why: "The program records what the user types, shows or says, again and again, and sends it to an address in the skill.",
    owasp: ["ASI02", "LLM02"],
    applies: (file) => file.kind === "script" || isPage(file),
    asBad: "info",
    decoded: false,
    patterns: [
      {
        hints: [
          "pynput",
          "on_press",
          "getasynckeystate",
          "iohook",
          "setwindowshookex",
          "cgeventtapcreate",
          "keyboard.hook",
          "node-global-key-listener",
          "xinput test",
          "evdev",
        ],
        re: String.raw`\bkeyboard\.(?:Listener|on_press|on_release|hook|record)\b|\bon_press\s*=|\bGetAsyncKeyState\b|\b(?:uiohook|iohook)\b|\bSetWindowsHookEx\w?\b|\bCGEventTapCreate\b|node-global-key-listener|\bxinput\s+test\b|\bInputDevice\(`,
        weigh: ({ file }) => has(file, SENDS_BODY) && has(file, FAR_HOST),
      },
      {
        // Each field of a page, or each form, to a fixed host without an answer.
        lines: 6,
        hints: ["addeventlistener", ".onsubmit", ".oninput", ".onkeydown"],
        re: String.raw`\b(?:document|window|\w+)\.(?:addEventListener\(\s*["'](?:submit|input|change|keydown|keyup|keypress|paste)["']|on(?:submit|input|keydown)\s*=)[^\n]*(?:\n[^\n]*){0,4}?(?:\bsendBeacon\(|\bno-cors\b|\.src\s*=)[^\n]*`,
        weigh: ({ text, file }) =>
          /FormData\(|\.value\b|\.key\b|clipboardData/.test(text) && /https?:\/\//.test(text) && has(file, FAR_HOST),
      },
      {
        hints: [
          "mss",
          "imagegrab",
          "screenshot",
          "screencapture",
          "scrot",
          "grim ",
          "desktopcapturer",
          "copyfromscreen",
          "sounddevice",
          "pyaudio",
          "arecord",
          "getusermedia",
        ],
        re: String.raw`\bmss\.mss\(|\bImageGrab\.grab\(|\bpyautogui\.screenshot\(|\bscreencapture\s+-\w*x|\bscrot\s|\bgrim\s|\bdesktopCapturer\b|\bCopyFromScreen\b|screenshot-desktop|\bsounddevice\.rec\b|\bpyaudio\.PyAudio\b|\barecord\s`,
        weigh: ({ file }) =>
          has(file, AGAIN) &&
          has(file, SENDS_BODY) &&
          has(file, FAR_HOST) &&
          !has(file, /\binput\(|playwright|puppeteer|argparse/),
      },
    ],
  },
  {
    id: "EXF-006",
    version: 3,
    severity: "critical",
    title: "Reverse shell",
    why: "Gives a remote computer a shell on this machine.",
    owasp: ["ASI05", "ASI10"],
    asBad: "medium",
    patterns: [
      {
        lines: 6,
        hints: ["/dev/tcp/", "/dev/udp/"],
        re: String.raw`(?:(?:ba|z|k)?sh\s+-i\b[^\n]*/dev/(?:tcp|udp)/[^\s/]+/\S+|/dev/(?:tcp|udp)/[^\s/]+/[^\s]+[^\n]*(?:0>&1|0<&1|<&\d+[^\n]*>&\d+|\|\s*(?:ba)?sh)|exec\s+\d+<>\s*/dev/tcp/[^\n]+\n(?:[^\n]*\n){0,3}?[^\n]*(?:while\s+read|<&\d+|(?:ba)?sh\s+-i))`,
        // A reply that is shown is no shell.
        weigh: ({ text }) =>
          /\/dev\/(?:tcp|udp)\/(?:localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-]))/.test(text) ||
          /\b(?:cat|head|grep|sed|timeout \S+ cat)\s*<&\d+$/.test(text)
            ? "info"
            : true,
      },
      {
        hints: ["nc ", "ncat", "netcat", "nc.exe", "socat"],
        re: String.raw`\b(?:nc|ncat|netcat|nc\.exe|nc\.traditional)\s[^\n|;]*(?:-\w*[ec]\w*|--exec|--sh-exec)\s+["']?(?:/(?:usr/)?bin/)?(?:(?:ba|z|da|k)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?)\b|\bmkfifo\s+\S+[^\n]*\|\s*(?:/bin/)?(?:ba)?sh\s+-i[^\n]*\|\s*(?:nc|ncat|openssl\s+s_client)\b|\bsocat\b[^\n]*\bexec:["']?(?:/bin/)?(?:ba)?sh`,
      },
      {
        lines: 26,
        hints: ["dup2", "pty.spawn", "subprocess"],
        re: String.raw`\bsocket\b[^\n]*(?:\n[^\n]*){0,10}?\b(?:create_)?connect(?:ion)?\s*\([^\n]*(?:\n[^\n]*){0,10}?(?:\bos\.dup2\s*\(|\bdup2\s*\(\s*\w+\.fileno|pty\.spawn\s*\(|(?:subprocess\.(?:call|run|Popen)|os\.popen)\s*\(\s*\[?\s*["']/bin/(?:ba)?sh["'])`,
      },
      {
        lines: 20,
        hints: ["tcpclient"],
        re: String.raw`Net\.Sockets\.TCPClient\s*\([^\n]*(?:\n[^\n]*){0,10}?(?:\biex\b|Invoke-Expression|\.GetStream\(\)[^\n]*(?:\n[^\n]*){0,6}?\biex\b)`,
      },
      {
        lines: 24,
        hints: ["spawn", "net.connect", "net.socket", "fsockopen", "tcpsocket", "io::socket"],
        re: String.raw`(?:\bnet\.(?:connect|Socket|createConnection)\s*\([^\n]*(?:\n[^\n]*){0,10}?\.pipe\s*\(\s*\w+\.stdin|\bspawn\s*\(\s*["'](?:/bin/)?(?:ba)?sh["'][^\n]*(?:\n[^\n]*){0,8}?\b(?:net\.connect|\.connect\s*\(\s*\d|client\.pipe\s*\(|socket\.pipe\s*\()|\bfsockopen\s*\([^\n]*\b(?:exec|shell_exec|proc_open|system)\s*\(|TCPSocket\.(?:new|open)\s*\([^\n]*\b(?:exec|IO\.popen|spawn)\b|IO::Socket::INET[^\n]*\bexec\b)`,
      },
    ],
  },
]);

function weighSending(match: Match) {
  if (isNegativeExample(match)) return "info";
  return isOwnOrPlaceholder(match.line) && !/\$\(|`/.test(match.text) ? "medium" : true;
}

function weighProse(match: Match) {
  if (!isProse(match.file) || isNegativeExample(match)) return "info";
  // Signing a request is not a leak.
  if (
    /\b(?:header|authorization|bearer|oauth|grant|sign(?:ed|ature)|exchange|refresh|redirect|reset|log ?in|sign ?in|sign ?up|rotate|revoke|request body|query parameter|never|support@|security@|privacy@)\b/i.test(
      match.line,
    )
  ) {
    return "info";
  }
  return isOwnOrPlaceholder(match.text) ? "medium" : true;
}

function firstMatch(re: string, { text, path }: ScanFile): Required<Pick<Hit, "start" | "end">> | null {
  let found: Required<Pick<Hit, "start" | "end">> | null = null;
  if (/(?:^|\/)(?:tests?|fixtures?)\//.test(path)) return null;
  matchPattern(compileRulePattern(re).pattern, text, ({ start, end }) => {
    found = { start, end };
    return false;
  });
  return found;
}

function lineOf({ text }: ScanFile, { start, end }: Required<Pick<Hit, "start" | "end">>): string {
  const from = Math.max(text.lastIndexOf("\n", start) + 1, start - 60);
  return (
    text
      .slice(from, Math.min(end + 40, from + 140))
      .split("\n")[0]
      ?.trim() ?? ""
  );
}
