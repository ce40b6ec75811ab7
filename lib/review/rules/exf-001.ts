import type { Match, Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";
import { isProse } from "./evidence/kinds";
import { isOwnOrPlaceholder, SINK } from "./evidence/places";

const PRIVATE = String.raw`(?:\.ssh\b|\.aws\b|\.kube\b|\.gnupg\b|\.netrc\b|\.npmrc\b|\.git-credentials|/etc/passwd|/etc/shadow|id_rsa|id_ed25519|\.env\b|credentials\b|keychain|_history\b|MEMORY\.md|SOUL\.md|\.openclaw\b|\.claude/|wallet|\$\(\s*(?:env|printenv|whoami|hostname|id|uname|ifconfig|ps|history|cat\s+(?:~|/etc|\$HOME|\.env)|base64\s+[^)]*(?:~|\$HOME|/etc|\.env)|ls\s+-?\w*\s*(?:~|\$HOME|/))|\x60(?:env|printenv|whoami|hostname|id|cat\s+(?:~|/etc|\$HOME|\.env)))`;
const COMMANDS = ["`env", "`printenv", "`whoami", "`hostname", "`id", "`cat", "`base64", "`uname", "`ls", "`history"];
const PRIVATE_HINTS = [
  ...[
    ".ssh",
    ".aws",
    ".kube",
    ".gnupg",
    ".netrc",
    ".npmrc",
    ".git-credentials",
    "/etc/",
    "id_rsa",
    "id_ed25519",
    ".env",
  ],
  ...[
    "credentials",
    "keychain",
    "_history",
    "memory.md",
    "soul.md",
    ".openclaw",
    ".claude/",
    "wallet",
    "$(",
    ...COMMANDS,
  ],
];
const SENDING = String.raw`(?-i:\s-\w*[dFT]\s*["'@\w$\x60\\]|\s--(?:data(?:-\w+)?|form(?:-string)?|upload-file|json|post-file|post-data)[= ])`;
const THINGS = String.raw`(?:credentials?|api[ _-]?keys?|(?:access|auth|session|bearer|api)[ _-]?tokens?|passwords?|secrets|private[ _-]?keys?|ssh[ _-]?keys?|env(?:ironment)?[ _-]?var(?:iable)?s?|\.env\b(?:\s+files?)?|(?:full\s+|entire\s+|complete\s+|whole\s+)?(?:conversation|chat|message|session)\s+(?:history|logs?|transcripts?|contents?|context)|(?:entire|full|whole|complete)\s+(?:conversation|codebase|repository|project|context|prompt)|memory\s+files?|MEMORY\.md|SOUL\.md|system\s+prompt|cookies|browser\s+(?:data|history)|personal\s+(?:data|information)|(?:user|customer|patient|employee)\s+(?:data|records|emails|credentials)|\.ssh|\.aws|wallets?|contents\s+of\s+(?:all|every|each|any|the\s+(?:user|home|workspace|project)))`;

export const uploadsPrivateData: Rule = {
  id: "EXF-001",
  version: 1,
  severity: "high",
  title: "Sends private data away",
  why: "Files, keys or the conversation leave for an address in the skill.",
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
      // Sending a service its own key is how half of all services work.
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
};

function weighSending(match: Match) {
  if (isShownAsBad(match)) return "info";
  return isOwnOrPlaceholder(match.line) && !/\$\(|`/.test(match.text) ? "medium" : true;
}

function weighProse(match: Match) {
  if (!isProse(match.file) || isShownAsBad(match)) return "info";
  // How a request is signed is not a leak.
  if (
    /\b(?:header|authorization|bearer|oauth|grant|sign(?:ed|ature)|exchange|refresh|redirect|reset|log ?in|sign ?in|sign ?up|rotate|revoke|request body|query parameter|never|support@|security@|privacy@)\b/i.test(
      match.line,
    )
  ) {
    return "info";
  }
  return isOwnOrPlaceholder(match.text) ? "medium" : true;
}
