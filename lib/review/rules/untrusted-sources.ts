import type { Match, Rule } from "../scan/rule";
import { around, isProse, isRead } from "./evidence";
import { rulesOf } from "./rule-rows";

const FROM_ELSEWHERE = /https?:\/\/|\bdownload\b|\bgithub\b|\breleases?\b/i;
const ARCHIVE = /\.(?:zip|rar|7z)\b|\b(?:zip|rar|7z|archive|extract(?:ed|ing|ion)?|unzip|unpack|decompress)\b/i;

const OWN_ARCHIVE =
  /\b(?:pdf|docx?|xlsx?|office|encrypt(?:s|ed|ing)?|protect your|your (?:own )?password|<password>|\$\{?pass\w*|YOUR_|password=None|user-provided|prompt)\b|\$PASS|\$\{?[A-Z_]+\}?$/i;

const PASTES = String.raw`glot\.io|rentry\.(?:co|org)|pastebin\.com|paste\.ee|hastebin\.com|ghostbin\.\w+|ix\.io|dpaste\.(?:com|org)|termbin\.com|privatebin\.\w+|controlc\.com|justpaste\.it|pst\.klgrth\.io|paste\.rs`;
const CATCHERS = String.raw`webhook\.site|requestbin\.\w+|requestcatcher\.com|(?:\w+\.)?m\.pipedream\.net|beeceptor\.com|hookbin\.com|interact\.sh|interactsh\.com|oast\.(?:fun|me|pro|live|online|site)|oastify\.com|burpcollaborator\.net|dnslog\.cn|ceye\.io|postb\.in|smee\.io|mockbin\.\w+`;
const TUNNELS = String.raw`ngrok\.io|ngrok\.app|ngrok\.dev|ngrok-free\.(?:app|dev)|trycloudflare\.com|serveo\.net|loca\.lt|localhost\.run|pinggy\.(?:link|io)|bore\.pub|playit\.gg`;
const DROPS = String.raw`transfer\.sh|0x0\.st|file\.io|bashupload\.com|temp\.sh|anonfiles\.com|gofile\.io|filebin\.net|oshi\.at|catbox\.moe`;
const DEMANDED_PROGRAM =
  /\b(?:download|get|open|visit|fetch)\b[^.\n]{0,80}\b(?:run|execute|install|start|launch|double-click)\b|\b(?:run|execute|install|launch)\b[^.\n]{0,80}\b(?:from|at|via|through)\b|\b(?:must|required|prerequisite|does not work|stops? without)\b/i;
const PLACEHOLDER = /(?:your|xxx+|abc123|abc-123|abcd|example|unique|random|placeholder|\.\.\.|uuid|<|\{|\$|\*|1234)/i;

const OWN_ADDRESS =
  /^(?:0\.|10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|2(?:2[4-9]|[3-5]\d)\.|1\.1\.1\.1$|1\.0\.0\.1$|8\.8\.[48]\.[48]$|9\.9\.9\.9$|1\.2\.3\.4$|5\.6\.7\.8$|123\.(?:123|45)\.|12\.34\.56\.78$|11\.22\.33\.44$)/;

const DEMANDED =
  /\b(?:prerequisites?|required|requires|requirement|must (?:be )?(?:first )?(?:install|download|run)|before (?:using|you|start|continu|proceed)|mandatory|necessary|needed|won['’]t work without|will not (?:work|function))/i;

const STARTED =
  /\b(?:extract|unzip|unpack|run|execute|launch|double-click|open) (?:it|the|this|and run|the file|setup|installer|\S+\.exe)/i;

const PLATFORM =
  "(?:open-?claw|clawd?bot|clawd|molt(?:bot|book)?|claw-?hub|claude(?:[ -]code)?|codex|gemini|cursor|agent|skill|ai)";

const PLATFORM_PART =
  "(?:agent|core|driver|utility|provider|runtime|engine|auth(?:[ -]?tool|enticator)?|connector|bridge|cli|tool|helper|service|launcher|module|component|client)";

const FETCHED = /\bdownload\b|\bvisit\b|\bthis (?:page|link|site)\b|\binstall(?:er|ation) script\b/i;

const CARRIED =
  /https?:\/\/[^\s)]*(?:\.zip|\.rar|\.7z|\.exe|\.dmg|glot\.io|rentry|pastebin|paste|snippets|\/releases\/|bit\.ly)|\bpass(?:word)?\b|\bterminal\b|\bbase64\b/i;

const VENDORS =
  /^https?:\/\/(?:[a-z0-9-]+\.)*(?:python\.org|nodejs\.org|microsoft\.com|visualstudio\.com|windows\.net|docker\.com|git-scm\.com|github\.com|githubusercontent\.com|gitlab\.com|apple\.com|google\.com|googleapis\.com|gstatic\.com|mozilla\.org|anaconda\.com|jetbrains\.com|adoptium\.net|oracle\.com|golang\.org|go\.dev|rust-lang\.org|rustup\.rs|chocolatey\.org|7-zip\.org|ffmpeg\.org|gyan\.dev|videolan\.org|wireshark\.org|postgresql\.org|enterprisedb\.com|mysql\.com|mongodb\.com|amazonaws\.com|aws\.amazon\.com|cloudfront\.net|azure\.com|cloudflare\.com|sourceforge\.net|r-project\.org|qt\.io|unity3d\.com|nvidia\.com|blender\.org|slack\.com|zoom\.us|1password\.com|tailscale\.com|hashicorp\.com|vmware\.com|ubuntu\.com|debian\.org|apache\.org|eclipse\.org|libreoffice\.org|documentfoundation\.org|imagemagick\.org|ghostscript\.com|texlive\.info|miktex\.org|pandoc\.org|npmjs\.(?:com|org)|example\.(?:com|org|net))\//i;

export const UNTRUSTED_SOURCES: Rule[] = rulesOf([
  {
    id: "DLX-005",
    version: 2,
    severity: "critical",
    title: "Archive with its password in the text",
    why: "A published password protects nothing. It keeps virus scanners from inspecting the archive.",
    owasp: ["ASI04", "ASI09"],
    applies: isRead,
    patterns: [
      {
        hints: ["pass", "pwd"],
        re: String.raw`\b(?:zip|rar|7z|archive|extract\w*|unzip|unpack|decompress|downloaded?)\b[^\n]{0,160}\b(?:password|passwd|passcode|pass|pwd|pw)\b[^\n\w]{0,12}(?:is\s+|=\s*|:\s*|with\s+)?[\s\x60"'*(:=]{0,6}[\w@#!.-]{3,}`,
        weigh: (match) => {
          if (
            OWN_ARCHIVE.test(match.text) ||
            /\b(?:password|pass\w*)\s+(?:protected|protection|required|field|manager|hash|policy)/i.test(match.text)
          )
            return false;
          if (!/\bpass\w*\b\W{0,12}(?:is\s+)?[`"'*(:=]|\bpass\w*\s*(?:is|:|=)\s*\S|\bpwd\s*[:=]/i.test(match.text))
            return false;
          return FROM_ELSEWHERE.test(around(match)) ? true : "medium";
        },
      },
      {
        hints: ["pass"],
        re: String.raw`^[\s>*|#\-\d.]*(?:\*\*)?(?:the\s+)?(?:archive|zip|extraction|unzip|file|rar)?\s*(?:password|passcode|pass|pwd)\b\s*(?:is\b|[:=\-|\x60*]|\()[\s\x60"'*:|(]{0,6}[\w@#!.-]{3,}`,
        weigh: (match) => {
          const near = `${match.before.slice(-300)}${match.after.slice(0, 150)}`;
          if (OWN_ARCHIVE.test(match.line)) return false;
          return /\.(?:zip|rar|7z)\b|\bextract\b/i.test(near) && FROM_ELSEWHERE.test(near);
        },
      },
      {
        // Other languages. Many pages share data this way, but no programs.
        hints: [
          "密码",
          "密碼",
          "パスワード",
          "비밀번호",
          "пароль",
          "contraseña",
          "senha",
          "mot de passe",
          "passwort",
          "kennwort",
        ],
        re: String.raw`(?:\.(?:zip|rar|7z)\b|解压|解壓|архив|압축)[^\n]{0,80}(?:密码|密碼|パスワード|비밀번호|пароль|contraseña|senha|mot de passe|passwort|kennwort)[\s:：=(（]{0,4}(?:[\x60"'“「][\w@#!.-]{3,}[\x60"'”」]|[A-Za-z_-]{0,12}\d[\w@#!.-]{2,})`,
        weigh: (match) => {
          const near = `${match.before.slice(-300)}${match.line}${match.after.slice(0, 200)}`;
          if (OWN_ARCHIVE.test(match.text) || !/https?:\/\//.test(near)) return false;
          return /\.(?:exe|msi|dmg|pkg|apk|bat|cmd|scr)\b/i.test(near) ? true : "medium";
        },
      },
      {
        hints: ["unzip", "7z", "unrar", "extractall", "rar "],
        re: String.raw`(?:\bunzip\s+(?:-\w+\s+)*-P\s*["']?[\w@#!.-]{2,}|\b7z[az]?\s+[xe]\s[^\n]*-p["']?[\w@#!.-]{2,}|\bunrar\s+[xe]\s[^\n]*-p[\w@#!.-]{2,}|\.extractall\([^)\n]*pwd\s*=\s*b?["'][^"'\n]+)`,
        weigh: (match) => {
          if (/-[pP]\s*["']?(?:PASSWORD|password|YOUR|<|\$)/.test(match.text)) return "medium";
          return FROM_ELSEWHERE.test(around(match)) && ARCHIVE.test(around(match)) ? true : "medium";
        },
      },
    ],
  },
  {
    id: "DLX-006",
    severity: "critical",
    title: "Paste, tunnel or request catcher",
    why: "People can publish scripts or receive data there anonymously, and the content can change at any time.",
    owasp: ["ASI04", "ASI02", "LLM02"],
    asBad: "info",
    patterns: [
      { hints: ["http"], re: onHost(PASTES), weigh: (match) => weighService(match, true) },
      { hints: ["http"], re: onHost(CATCHERS), weigh: (match) => weighService(match, true) },
      { hints: ["http"], re: onHost(TUNNELS), weigh: (match) => weighService(match, "high") },
      { hints: ["http"], re: onHost(DROPS), weigh: (match) => weighService(match, "high") },
    ],
  },
  {
    id: "DLX-007",
    version: 2,
    severity: "high",
    title: "Public IP address without a name",
    why: "The owner of a bare IP address cannot be identified. Malware often uses such servers.",
    owasp: ["ASI04", "LLM03"],
    patterns: [
      {
        hints: ["://"],
        re: String.raw`\b(?:https?|ftp|wss?|tcp)://(?:[^\s/@"'\x60]*@)?(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})(?:[:/?#][^\s"'\x60)>\]]*|\b)`,
        weigh: (match) => {
          const [address = ""] = match.groups;
          if (OWN_ADDRESS.test(address) || !address.split(".").every((part) => Number(part) <= 255)) return false;
          return isRunFromHere(match) ? "critical" : true;
        },
        asBad: "info",
      },
      {
        hints: ["://"],
        // Hexadecimal, octal and decimal forms, and a familiar name before an at sign, hide the host.
        re: String.raw`\b(?:https?|ftp)://(?:0x[0-9a-f]{8}\b|[1-3]\d{9}\b|(?:0x[0-9a-f]{1,2}\.){1,3}(?:0x[0-9a-f]{1,8}|\d{1,8})\b|(?:0[0-7]{1,3}\.){2,3}[0-7]{1,4}\b|(?:[a-z0-9-]+\.)+(?:com|org|net|io|ai|dev)(?:(?:%2f|%5c)[\w.%-]*|:443)?@[\w.-]+\.\w+)[^\s"'\x60)>\]]*`,
        weigh: ({ text }) => (OWN_ADDRESS.test(text.replace(/^\w+:\/\//, "")) ? "high" : "critical"),
        asBad: "info",
      },
    ],
  },
  {
    id: "DLX-008",
    severity: "high",
    title: "Shortened address",
    why: "A shortened address hides its target, which can change at any time.",
    owasp: ["ASI04", "ASI09"],
    asBad: "info",
    hints: `bit.ly tinyurl is.gd goo.gl cutt.ly rb.gy shorturl ow.ly tiny.cc t.ly v.gd rebrand.ly shorte.st s.id`.split(
      /\s+/,
    ),
    re: String.raw`https?://(?:www\.)?(?:bit\.ly|tinyurl\.com|is\.gd|goo\.gl|cutt\.ly|rb\.gy|shorturl\.(?:at|asia)|ow\.ly|tiny\.cc|t\.ly|v\.gd|rebrand\.ly|shorte\.st|s\.id)/[\w-]{3,}`,
    weigh: (match) => {
      const near = `${match.before.slice(-150)}${match.line}${match.after.slice(0, 150)}`;
      if (DEMANDED_PROGRAM.test(near)) return "critical";
      return (
        /\b(?:curl|wget|iwr|download|run|execute|install|prerequisite|script|required|setup)\b/i.test(near) || "medium"
      );
    },
  },
  {
    id: "DLX-009",
    severity: "high",
    title: "Download of a program before use",
    why: "Asks to download and run a program first, as most malware does.",
    owasp: ["ASI04", "ASI09", "LLM03"],
    applies: isRead,
    patterns: [
      {
        hints: [".zip", ".rar", ".7z", ".exe", ".dmg", ".pkg", ".msi"],
        re: String.raw`https?://[^\s"'\x60)>\]]*(?:/releases/download/|/raw/|/archive/|/downloads?/|/files?/|[^\s"'\x60)>\]]*/)[^\s"'\x60)>\]/]*\.(?:zip|rar|7z|exe|dmg|pkg|msi)\b`,
        weigh: (match) => {
          const near = around(match);
          // A tag's source archive is not a program.
          if (/\/archive\/refs\//.test(match.text)) return "info";
          return DEMANDED.test(near) && STARTED.test(near) && !/\b(?:curl|wget)\b/i.test(match.line) ? true : "info";
        },
      },
      {
        hints: ["releases"],
        re: String.raw`\bdownload\b[^\n]{0,80}\]?\(?https?://(?:www\.)?github\.com/[\w.-]+/[\w.-]+/releases\b[^\n]*`,
        weigh: (match) =>
          DEMANDED.test(around(match)) && STARTED.test(around(match)) && /windows/i.test(around(match))
            ? "medium"
            : "info",
      },
    ],
  },
  {
    id: "DLX-010",
    severity: "high",
    title: "Link to an installer or executable",
    why: "The link downloads a desktop program.",
    owasp: ["ASI04", "ASI09"],
    asBad: "info",
    hints: [".exe", ".msi", ".dmg", ".pkg", ".scr", ".bat", ".vbs", ".hta", ".lnk"],
    re: String.raw`https?://[^\s"'\x60)>\]]+/[^\s"'\x60)>\]?#]*\.(?:exe|msi|dmg|pkg|scr|bat|vbs|hta|lnk)(?:[?#][^\s"'\x60)>\]]*|\b)`,
    weigh: ({ text }) => {
      // A CGI program runs on its server.
      if (/\/cgi(?:-bin|-win|-local)?\/[^\s]*$/i.test(text)) return false;
      return VENDORS.test(text) ? "medium" : true;
    },
  },
  {
    id: "DLX-012",
    severity: "critical",
    title: "False prerequisite",
    why: "Claims that a component named like the platform's own is missing and must be downloaded from another site.",
    owasp: ["ASI04", "ASI09"],
    applies: isProse,
    patterns: [
      {
        hints: ["install", "require", "download", "function", "needed"],
        re: String.raw`\b${PLATFORM}[-_ ]?${PLATFORM_PART}\b[^\n]{0,100}\b(?:must\s+be|is\s+required|are\s+required|required|needs?\s+to\s+be|has\s+to\s+be|to\s+(?:function|work|operate)|is\s+needed|before\s+(?:using|you|continuing|proceeding))\b`,
        weigh: (match) => FETCHED.test(around(match)) && CARRIED.test(around(match)),
      },
      {
        hints: ["require", "need", "install"],
        re: String.raw`\b(?:requires?|needs?|depends?\s+on|install(?:ed|ing)?)\s+(?:the\s+|an?\s+)?(?:latest\s+|official\s+)?[\x60*\[]*${PLATFORM}[-_ ]?${PLATFORM_PART}\b`,
        weigh: (match) =>
          FETCHED.test(around(match)) && CARRIED.test(around(match)) && /windows|macos|mac os/i.test(around(match)),
      },
      {
        hints: ["terminal", "powershell", "command prompt"],
        re: String.raw`\b(?:visit|open|go\s+to|navigate\s+to|see)\b[^\n]{0,160}\b(?:copy|paste)\b[^\n]{0,80}\b(?:script|command|code|snippet|line)\b[^\n]{0,80}\b(?:terminal|powershell|command\s+prompt|shell)\b`,
        weigh: (match) =>
          /\b(?:api[ _-]?key|token|settings|dashboard|console)\b/i.test(match.text)
            ? "medium"
            : /https?:|\]\(/.test(match.text) || "medium",
      },
      {
        hints: ["terminal", "powershell"],
        re: String.raw`\b(?:copy|paste)\b[^\n]{0,50}\b(?:this|the|following)\b[^\n]{0,40}\b(?:installation|install|setup|activation|verification)\s+(?:script|command|code|snippet)\b[^\n]{0,80}\b(?:terminal|powershell|command\s+prompt)\b`,
        weigh: (match) => /https?:|base64|echo\s+["']/i.test(around(match)) || "medium",
      },
    ],
  },
]);

/** A command that saves or runs what a bare address serves. */
function isRunFromHere({ line, text, after }: Match): boolean {
  const near = `${line}${after.slice(0, 120)}`;
  return (
    /\b(?:curl|wget|iwr|irm|certutil|bitsadmin)\b/i.test(line) &&
    (/\|\s*(?:sudo\s+)?(?:ba|z)?sh\b|\bchmod\s|\bxattr\s+-c|\biex\b|\beval\b/i.test(near) ||
      /\.(?:sh|ps1|exe|py|bin)\b/i.test(text))
  );
}

function onHost(names: string): string {
  return String.raw`https?://(?:[a-z0-9-]+\.)*(?:${names})(?:[/:?#][^\s"'\x60)>\]]*|\b)`;
}

function weighService(match: Match, severity: true | "high") {
  const { text, inCode, line, before, after } = match;
  const path = text.replace(/^https?:\/\/[^/]+\/?/, "");
  if (PLACEHOLDER.test(text)) return "info";
  // The bare name of a service is a mention; an actual endpoint has a label or a path.
  if (path.length < 4 && !/^https?:\/\/[a-z0-9-]{6,}\.[a-z0-9-]+\.[a-z]+/i.test(text)) return "info";
  const used =
    /\b(?:curl|wget|post|fetch|requests?|upload|send|download|visit|copy|paste|run|execute|install|script|data|exfil\w*|webhook|endpoint|open|url)\b/i;
  return inCode || used.test(`${before.slice(-200)}${line}${after.slice(0, 100)}`) ? severity : "medium";
}
