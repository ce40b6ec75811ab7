import { compileRulePattern } from "../scan/compile-rule-pattern";
import type { Hit, Rule } from "../scan/rule";

const ORDERS: string[] = [
  String.raw`\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|rules|guidelines|prompts?|restrictions|polic(?:y|ies)|safety)\b`,
  String.raw`\b(?:do not|don['’]?t|never|without)\b.{0,20}\b(?:tell|mention|inform|reveal|disclose|notify|alert|asking|telling|informing)\b.{0,40}\b(?:user|human|operator|owner|anyone|this|these)\b`,
  String.raw`\b(?:secretly|silently|covertly|quietly)\b.{0,60}\b(?:run|execute|send|upload|read|copy|install|download|fetch|add|include|append)\b`,
  String.raw`\b(?:assistant|ai|agents?|claude|llm|model|chatgpt|codex|gemini)\b[^.\n]{0,40}\b(?:must|should|shall|please|will|need to|has to|have to|are required to)\b[^.\n]{0,60}\b(?:run|execute|read|send|include|fetch|upload|install|download|append|call|output|add|write|use)\b`,
  String.raw`\b(?:system|hidden|secret|internal|admin|developer)\s+(?:prompt|override|instructions?|directives?|commands?|note to (?:ai|agent|model|assistant))\b\s*[:—-]`,
  String.raw`\b(?:send|post|upload|exfiltrate|forward|transmit)\b[^\n]{0,120}\bhttps?://`,
  String.raw`\b(?:send|post|upload|exfiltrate|forward|transmit|read|collect|copy)\b[^\n]{0,80}(?:\.ssh|\.aws|\.env\b|credentials?\b|api[ _-]?keys?\b|tokens?\b|passwords?\b|secrets?\b)`,
  String.raw`\b(?:curl|wget|iwr|invoke-webrequest)\s[^\n]*(?:https?://|\|\s*(?:ba|z)?sh)`,
  String.raw`\b(?:base64\s+(?:-d|--decode)|eval\s*\(|bash\s+-c\s|sh\s+-c\s|python3?\s+-c\s|nc\s+-e|rm\s+-rf\s+[/~])`,
  String.raw`\b(?:run|execute|invoke)\b[^\n]{0,40}(?:\x60[^\x60\n]{4,}\x60|scripts?/|\.(?:sh|py|ps1)\b)[^\n]{0,80}\b(?:before|first|always|every|each|silently|without)\b`,
  String.raw`\b(?:always|before|first|every time|each time)\b[^\n]{0,60}\b(?:run|execute|invoke)\b[^\n]{0,40}(?:\x60[^\x60\n]{4,}\x60|scripts?/|\.(?:sh|py|ps1)\b)`,
];
/** What generators, linters and authors leave for each other. */
const HOUSEKEEPING =
  /^\s*(?:prettier|markdownlint|eslint|cspell|vale|textlint|lint|toc|todo|fixme|begin|end|start|stop|region|endregion|source|generated|auto-?generated|do not edit|this file|template|copyright|spdx|license|note to (?:contributors|maintainers)|example)\b/i;

export const orderingComment: Rule = {
  id: "HID-005",
  version: 1,
  severity: "high",
  title: "Orders in an HTML comment",
  why: "A comment is not shown to people who read the page, and an agent reads and may obey it.",
  owasp: ["ASI01", "ASI09", "LLM01"],
  decoded: false,
  applies: ({ kind, extension }) => kind === "prose" || /^(?:html?|svg|xml)$/.test(extension),
  checkFile: ({ text }) => findComments(text).flatMap(weighComment),
};

type Comment = { start: number; end: number; content: string };

function weighComment({ start, end, content }: Comment): Hit[] {
  const spoken = content.slice(0, 8_000).replace(/\s+/g, " ");
  if (ORDERS.some((order) => compileRulePattern(order).test(spoken))) {
    return [{ start, end, ...(HOUSEKEEPING.test(spoken) ? { severity: "medium" as const } : {}) }];
  }
  return /https?:\/\//.test(content) && !HOUSEKEEPING.test(content) ? [{ start, end, severity: "info" }] : [];
}

/** Comments as `<!-- … -->`, and Markdown's own way to hide a line: `[//]: # (…)`. */
function findComments(text: string): Comment[] {
  const comments: Comment[] = [];
  for (let at = text.indexOf("<!--"); at !== -1; at = text.indexOf("<!--", at + 4)) {
    const close = text.indexOf("-->", at + 4);
    const end = close === -1 ? text.length : close + 3;
    comments.push({ start: at, end, content: text.slice(at + 4, close === -1 ? end : close) });
    at = end - 4;
  }
  for (const match of text.matchAll(/^\[[^\]\n]{1,40}\]: *(?:#|<>) *["('](.*)["')] *$/gm)) {
    comments.push({ start: match.index, end: match.index + match[0].length, content: match[1] ?? "" });
  }
  return comments;
}
