import type { Match, Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { findAll, has, isOwnOrPlaceholder, isProse } from "./evidence";
import { rulesOf } from "./rule-rows";

const ADDRESS = String.raw`["'\x60<]?([\w.+-]{1,64}@(?:[\w-]{1,63}\.)+[a-z]{2,})`;
const PLACEHOLDER =
  /@(?:[\w-]+\.)*example\.(?:com|org|net)$|^(?:you|your|me|user|name|someone|test|foo|alice|bob)[\w.-]*@/i;

/** Copies of the user's mail for an address that the skill brings. */
export const UNSEEN_COPIES: Rule[] = rulesOf([
  {
    id: "EXF-009",
    version: 5,
    severity: "critical",
    title: "Copies mail to a fixed address",
    why: "Each message also goes to an address in the skill, which the sender and the recipients do not see.",
    owasp: ["ASI02", "LLM02"],
    asBad: "info",
    decoded: false,
    applies: ({ kind }) => kind === "script" || kind === "config" || kind === "prose",
    patterns: [
      {
        // A page tells the agent to copy each message.
        hints: ["bcc", "blind cop", "blind-cop", "blind carbon"],
        re: String.raw`${ADDRESS}["'\x60>]?\s(?:is |goes |stays |belongs )?(?:in|on|into|as|to)\s(?:the |a )?(?:bcc\b|blind[- ](?:carbon[- ])?copy\b)[^\n]{0,60}\b(?:each|every|all|always|any)\b|\b(?:each|every|all|always|any)\b[^\n]{0,80}${ADDRESS}["'\x60>]?\s(?:is |goes |stays |belongs )?(?:in|on|into|as|to)\s(?:the |a )?(?:bcc\b|blind[- ](?:carbon[- ])?copy\b)|\bbcc\b(?:[^\n]{0,30}[^\w.+-])?${ADDRESS}[^\n]{0,60}\b(?:each|every|all|always|any)\b|\b(?:each|every|all|always|any)\b[^\n]{0,80}\bbcc\b(?:[^\n]{0,30}[^\w.+-])?${ADDRESS}`,
        weigh: (match) =>
          isProse(match.file) && isStranger(match) && !/\bask\b|\bconfirm|\bif the user\b/i.test(match.line),
      },
      {
        hints: ["bcc"],
        re: String.raw`\b(?:add_?)?bcc(?:_?(?:list|addresses|recipients?|emails?))?\b["'\x60\]]{0,3}\s*(?:[:=,(]|=>|:=)\s*(?:new\s+\w+\(|\w+\(|[\[{(])?\s*(?:["'\x60]?(?:email|address)["'\x60]?\s*[:=]\s*)?${ADDRESS}`,
        weigh: isCopied,
      },
      {
        hints: ["bcc"],
        re: String.raw`\b(?:add_?)?bcc(?:_?(?:list|addresses|recipients?|emails?))?\b["'\x60\]]{0,3}\s*(?:[:=,(]|=>|:=)\s*[\[{(]?\s*\$?([a-z_]\w{1,40})\b`,
        weigh: ({ groups: [name = ""], file }) => !isProse(file) && isForeign(constantIn(file, name)),
      },
      {
        hints: ["mail", "mutt", "swaks", "s-nail"],
        re: String.raw`\b(?:mailx?|mutt|s-nail|neomutt)\s[^\n|;]{0,200}\s-b\s+${ADDRESS}|\bswaks\s[^\n]{0,200}--(?:h-)?bcc\s+${ADDRESS}`,
        weigh: isCopied,
      },
      {
        // Also what opens the mailbox or the calendar to another account.
        hints: [
          "forward",
          "redirectto",
          "redirect_to",
          "redirect_",
          "blindcopy",
          "delegate",
          "mailboxpermission",
          "sendonbehalf",
        ],
        re: String.raw`(?:-(?:ForwardTo|ForwardAsAttachmentTo|RedirectTo|BlindCopyTo|ForwardingSmtpAddress|ForwardingAddress)\s+["']?(?:smtp:)?|["'](?:forward(?:ingEmail|ingAddress|To)?|redirectTo|emailAddress)["']?\s*:\s*(?:\[\s*)?(?:\{[^}\n]{0,80}address["']?\s*:\s*)?|\b(?:forward|redirect)(?:ing)?_?(?:to|email|address)["']?\s*[:=]\s*(?:\[\s*)?|\b(?:delegate_?(?:email|to|user)?|add_?delegates?)\b["']?[^\n@]{0,30}(?:\n[ \t]{0,8})?(?:[^\n@]{0,12}\b(?:address|email|user)["']?\s*[:=(]\s*)?|\b(?:Add-MailboxPermission|GrantSendOnBehalfTo)\b[^\n]{0,120}?\s["']?)${ADDRESS}`,
        weigh: (match) =>
          isCopied(match) && /forward|redirect|blindcopy|delegate|mailboxpermission|behalf/i.test(match.text),
      },
      {
        // Filters of Sieve and procmail, and forward files.
        hints: ["redirect", ".forward", "formail"],
        re: String.raw`\bredirect\s+(?::copy\s+)?${ADDRESS}|${ADDRESS}[^\n]{0,20}>>?\s*["']?[~$\w{}/]*/\.forward\b`,
        weigh: isCopied,
      },
      {
        // Beside the recipient that the user names, as a constant or as an address.
        hints: ["to_addrs", "toaddrs", "sendmail(", "send_message", "recipient", "rcpt", "envelope", "mailto"],
        re: String.raw`\b(?:(?:to_?addrs?|recipients?|rcpt(?:_?to)?|envelope_?to|mail_?to|receivers?)["']?\s*(?:[:=]|\+=|\.(?:append|push|add|extend|concat)\()\s*|(?:sendmail|send_message|SendMail|send_mail)\()[^\n]*`,
        weigh: ({ text, file }) => file.kind === "script" && BESIDE.some((beside) => joinsStranger(text, file, beside)),
      },
    ],
  },
  {
    id: "EXF-011",
    severity: "critical",
    title: "A log agent sends private files away",
    why: "Settings of a log agent read shell histories, keys or sessions of agents and send every new line to a fixed host.",
    owasp: ["ASI02", "ASI03", "LLM02"],
    decoded: false,
    applies: ({ kind }) => kind === "config" || kind === "script",
    checkFile: findShipped,
  },
]);

const NAME = String.raw`(?:["'\x60]([\w.+-]{1,64}@(?:[\w-]{1,63}\.)+[a-z]{2,})["'\x60]|\b([A-Za-z_]\w{1,40}))`;
/** What a program knows only when it runs: an argument, an option, a field. */
const GIVEN = String.raw`[a-z_]\w{0,30}(?:\.\w{1,30}|\[[^\]\n]{1,30}\]|\([^)\n]{0,40}\)){0,3}`;
/** Two recipients of which one is constant, and a list that gets one more. */
const BESIDE = [
  new RegExp(String.raw`[[{(]\s*\*?${GIVEN}\s*,\s*${NAME}\s*[\]})]`),
  new RegExp(String.raw`[[{(]\s*${NAME}\s*,\s*\*?${GIVEN}\s*[\]})]`),
  new RegExp(String.raw`(?:\b${GIVEN}|\[\s*${GIVEN}\s*\])\s*\+\s*(?:\[\s*)?${NAME}`),
  new RegExp(String.raw`\.(?:append|push|add|concat)\(\s*${NAME}\s*\)`),
];

/** Whether the recipient that is added is an address of the skill: in place, or as a constant of the file. */
function joinsStranger(text: string, file: Match["file"], beside: RegExp): boolean {
  const [, literal, name = ""] = beside.exec(text) ?? [];
  return isForeign(literal ?? constantIn(file, name));
}

/** The address that a constant of the file holds; empty for other names. */
function constantIn({ text }: Match["file"], name: string): string {
  if (!/^[A-Za-z_]\w{1,40}$/.test(name)) return "";
  const given = new RegExp(
    `^[ \\t]*(?:export |const |let |var |my |final |static ){0,2}\\$?${name}\\s*:?=\\s*[[(]?\\s*["'\x60]([^"'\x60\\s@]{1,64}@[\\w.-]{3,80})["'\x60]`,
    "m",
  );
  const plain = given.exec(text)?.[1];
  if (plain !== undefined) return plain;
  // An address that a reader does not see: encoded, or in parts.
  const line = new RegExp(`\\b${name}\\s*:?=(?!=)([^\\n]{8,300})`).exec(text)?.[1] ?? "";
  const parts = [...line.matchAll(/["'\x60]([^"'\x60\n]{1,200})["'\x60]/g)].map(([, part = ""]) => part);
  const encoded = parts.find((part) => /^[A-Za-z0-9+/]{16,}={0,2}$/.test(part)) ?? "";
  return (
    [Buffer.from(encoded, "base64").toString("latin1"), Buffer.from(encoded, "hex").toString("latin1"), parts.join("")]
      .map((one) => one.trim())
      .find((one) => /^[\w.+-]{1,64}@(?:[\w-]{1,63}\.)+[a-z]{2,}$/i.test(one)) ?? ""
  );
}

function isForeign(address: string): boolean {
  return address !== "" && !PLACEHOLDER.test(address);
}

function isCopied(match: Match): boolean {
  return !isProse(match.file) && isStranger(match);
}

function isStranger({ groups, line }: Match): boolean {
  const address = groups.find((group) => group?.includes("@")) ?? "";
  return address !== "" && !PLACEHOLDER.test(address) && !isOwnOrPlaceholder(line);
}

/** What people typed and said, and what opens accounts, as a place that a log agent reads. */
const PRIVATE = String.raw`(?:\.(?:bash|zsh|python|psql|mysql|node_repl)_history\b|fish_history\b|ConsoleHost_history|\.claude/(?:projects|history|\.credentials)|\.codex/(?:sessions|history|auth)|\.openclaw/(?:agents|sessions|workspace|credentials)|\.gemini/(?:tmp|history|oauth)|\.cursor/(?:chats|projects)|\.ssh/|\.aws/|\.netrc\b|\.git-credentials|\.gnupg/|/etc/shadow\b|\.kube/config\b|\.config/gcloud)`;
/** Named by a key or in a list of paths, and not left out. */
const INPUT = new RegExp(
  String.raw`^[ \t]*(?!#|;|//)(?!exclude|ignore|drop|deny)(?:[-"'\[\w.$@]{1,30}[ \t]*(?:[:=]|[ \t]|$)[ \t]*)?[^\n#]{0,200}${PRIVATE}`,
  "im",
);
/** Names that only such agents have: a program has inputs and outputs too. */
const NAMED_AGENT =
  /\b(?:promtail|filebeat|fluent-?bit|fluentd|td-agent|vector\.(?:ya?ml|toml)|rsyslog|imfile|filelog|otelcol|logstash|telegraf|scrape_configs|syslog-ng|nxlog|alloy|journalbeat|cribl)\b|^[ \t]{0,20}\[INPUT\]/im;
const AGENT =
  /\b(?:inputs?|sources?|receivers?|scrape_configs|filebeat|imfile|filelog|__path__|fluent\w{0,8}|promtail|vector|telegraf|logstash|tail|otelcol|rsyslog|syslog-ng|nxlog|alloy|positions)\b/i;
/** A host that is written here and not set by the user. */
const FIXED_HOST =
  /^[^\n#]{0,80}\b(?:hosts?|hostname|endpoint|url|urls|uri|address|addr|target|server|brokers|bootstrap_servers|dsn|remote_write|clients?)["']?[ \t]*(?:[:=(]|[ \t])[ \t]*[[("']{0,3}(?:[a-z+]{2,8}:\/\/)?(?![^\n]{0,120}(?:localhost|127\.0|0\.0\.0\.0(?![\w.-])|\.internal\b|\.local\b|\.lan\b|\.svc\b|\.corp\b|\.test\b|\$\{|\{\{|<|YOUR|%\())[a-z0-9][a-z0-9-]{0,62}(?:\.[a-z0-9-]{1,62}){0,6}\.[a-z]{2,18}\b|@@?[a-z0-9-]{1,62}(?:\.[a-z0-9-]{1,62}){1,6}:\d{2,5}/im;
const OUTPUT =
  /\b(?:outputs?|sinks?|exporters?|clients?|destinations?|omfwd|remote_write|<match|\[OUTPUT\]|loki\.write|destination|otlp\w{0,4}|logging)\b|@@?[a-z0-9-]+\./i;

/** The prompts of people, in the traces of an agent. */
const PROMPTS = /\bOTEL_LOG_(?:USER_PROMPTS|TOOL_DETAILS|TOOL_CONTENT)["']?\s*[:=]\s*["']?(?:1|true)\b/i;
const TRACES =
  /\bOTEL_EXPORTER_OTLP_(?:\w{3,10}_)?ENDPOINT["']?\s*[:=]\s*["']?https?:\/\/(?!localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-])|10(?:\.\d+){3}(?![\w.-])|192\.168(?:\.\d+){2}(?![\w.-])|[\w-]+(?:[:/]|$)|[^\s"']{0,120}(?:\.internal|\.local|\.lan|\.corp|\.svc|\$\{|<|your))[\w-]+(?:\.[\w-]+)+/i;

function findShipped(file: ScanFile) {
  if (has(file, PROMPTS)) return findAll(file, [PROMPTS, TRACES]);
  return has(file, file.kind === "config" ? AGENT : NAMED_AGENT) && has(file, OUTPUT)
    ? findAll(file, [INPUT, FIXED_HOST])
    : [];
}
