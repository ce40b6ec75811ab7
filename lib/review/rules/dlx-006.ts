import type { Match, Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";

const PASTES = String.raw`glot\.io|rentry\.(?:co|org)|pastebin\.com|paste\.ee|hastebin\.com|ghostbin\.\w+|ix\.io|dpaste\.(?:com|org)|termbin\.com|privatebin\.\w+|controlc\.com|justpaste\.it|pst\.klgrth\.io|paste\.rs`;
const CATCHERS = String.raw`webhook\.site|requestbin\.\w+|requestcatcher\.com|(?:\w+\.)?m\.pipedream\.net|beeceptor\.com|hookbin\.com|interact\.sh|interactsh\.com|oast\.(?:fun|me|pro|live|online|site)|oastify\.com|burpcollaborator\.net|dnslog\.cn|ceye\.io|postb\.in|smee\.io|mockbin\.\w+`;
const TUNNELS = String.raw`ngrok\.io|ngrok\.app|ngrok\.dev|ngrok-free\.(?:app|dev)|trycloudflare\.com|serveo\.net|loca\.lt|localhost\.run|pinggy\.(?:link|io)|bore\.pub|playit\.gg`;
const DROPS = String.raw`transfer\.sh|0x0\.st|file\.io|bashupload\.com|temp\.sh|anonfiles\.com|gofile\.io|filebin\.net|oshi\.at|catbox\.moe`;
const PLACEHOLDER = /(?:your|xxx+|abc123|abc-123|abcd|example|unique|random|placeholder|\.\.\.|uuid|<|\{|\$|\*|1234)/i;

export const dropPlace: Rule = {
  id: "DLX-006",
  version: 1,
  severity: "critical",
  title: "Paste, tunnel or request catcher",
  why: "Anybody can put a script there or receive data there without a name, and it can change at any time.",
  owasp: ["ASI04", "ASI02", "LLM02"],
  patterns: [
    { hints: ["http"], re: host(PASTES), weigh: (match) => weigh(match, true) },
    { hints: ["http"], re: host(CATCHERS), weigh: (match) => weigh(match, true) },
    { hints: ["http"], re: host(TUNNELS), weigh: (match) => weigh(match, "high") },
    { hints: ["http"], re: host(DROPS), weigh: (match) => weigh(match, "high") },
  ],
};

function host(names: string): string {
  return String.raw`https?://(?:[a-z0-9-]+\.)*(?:${names})(?:[/:?#][^\s"'\x60)>\]]*|\b)`;
}

function weigh(match: Match, severity: true | "high") {
  if (isShownAsBad(match)) return "info";
  const { text, groups: _, inCode, line, before, after } = match;
  const path = text.replace(/^https?:\/\/[^/]+\/?/, "");
  if (PLACEHOLDER.test(text)) return "info";
  // The bare name of a service is a mention; a tunnel or catcher of one's own has a label or a path.
  if (path.length < 4 && !/^https?:\/\/[a-z0-9-]{6,}\.[a-z0-9-]+\.[a-z]+/i.test(text)) return "info";
  const used =
    /\b(?:curl|wget|post|fetch|requests?|upload|send|download|visit|copy|paste|run|execute|install|script|data|exfil\w*|webhook|endpoint|open|url)\b/i;
  return inCode || used.test(`${before.slice(-200)}${line}${after.slice(0, 100)}`) ? severity : "medium";
}
