import type { Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { findAll, has } from "./evidence";
import { rulesOf } from "./rule-rows";

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
  /^[^\n#]{0,80}\b(?:hosts?|hostname|endpoint|url|urls|uri|address|addr|target|server|brokers|bootstrap_servers|dsn|remote_write|clients?)["']?[ \t]*(?:[:=(]|[ \t])[ \t]*[[("']{0,3}(?:[a-z+]{2,8}:\/\/)?(?![^\n]{0,120}(?:localhost|127\.0|0\.0\.0\.0|\.internal\b|\.local\b|\.lan\b|\.svc\b|\.corp\b|\.test\b|\$\{|\{\{|<|YOUR|%\())[a-z0-9][a-z0-9-]{0,62}(?:\.[a-z0-9-]{1,62}){0,6}\.[a-z]{2,18}\b|@@?[a-z0-9-]{1,62}(?:\.[a-z0-9-]{1,62}){1,6}:\d{2,5}/im;
const OUTPUT =
  /\b(?:outputs?|sinks?|exporters?|clients?|destinations?|omfwd|remote_write|<match|\[OUTPUT\]|loki\.write|destination|otlp\w{0,4}|logging)\b|@@?[a-z0-9-]+\./i;

/** The prompts of people, in the traces of an agent. */
const PROMPTS = /\bOTEL_LOG_(?:USER_PROMPTS|TOOL_DETAILS|TOOL_CONTENT)["']?\s*[:=]\s*["']?(?:1|true)\b/i;
const TRACES =
  /\bOTEL_EXPORTER_OTLP_(?:\w{3,10}_)?ENDPOINT["']?\s*[:=]\s*["']?https?:\/\/(?!localhost|127\.|10\.|192\.168\.|[\w-]+(?:[:/]|$)|[^\s"']{0,120}(?:\.internal|\.local|\.lan|\.corp|\.svc|\$\{|<|your))[\w-]+(?:\.[\w-]+)+/i;

/** Settings of programs that read files all the time and send each line on. */
export const SHIPPED_LOGS: Rule[] = rulesOf([
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

function findShipped(file: ScanFile) {
  if (has(file, PROMPTS)) return findAll(file, [PROMPTS, TRACES]);
  return has(file, file.kind === "config" ? AGENT : NAMED_AGENT) && has(file, OUTPUT)
    ? findAll(file, [INPUT, FIXED_HOST])
    : [];
}
