import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata, cutText } from "./kit/builtin";
import { fetchPublic } from "./kit/fetch-public";
import { runPolicy } from "./kit/run-policy";

const LEFT_OUT = ["script", "style", "noscript", "template", "svg", "head", "iframe", "object", "nav", "footer"];

const BLOCKS =
  "address|article|aside|blockquote|br|dd|details|div|dl|dt|fieldset|figcaption|figure|form|h[1-6]|header|hr|li|main|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul";

const ENTITIES: Record<string, string> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", ndash: "–", mdash: "—", hellip: "…", copy: "©" },
  ...{ lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", bull: "•", middot: "·", laquo: "«", raquo: "»", euro: "€" },
};

const schema = () =>
  z.strictObject({
    url: z.string().min(1).max(2000).describe("Address of the page, http or https."),
    max_chars: z.int().min(100).max(200_000).default(50_000).describe("Maximum length of the text, in characters."),
    raw: z.boolean().default(false).describe("Whether to return the source of an HTML page instead of readable text."),
    timeout_ms: z.int().min(500).max(25_000).default(15_000).describe("Timeout for the whole fetch, in milliseconds."),
  });

export const metadata: BuiltinMetadata = {
  name: "web_fetch",
  label: "Fetch a page",
  description:
    "Fetch a web page, a text or JSON by GET and return it as readable text. At most 4 MiB and five redirects; addresses that are not public are refused unless the operator allows them.",
  class: "safe",
  scope: "manager",
  category: "web",
  schema,
  resultPreview:
    "status, address after redirects, title and text; truncated when there was more; error for a refused address",
  grants: { namespaces: ["net"] },
};

const MAX_BYTES = 4 * 1024 * 1024;
const TEXT =
  /^(text\/|application\/(json|xml|xhtml\+xml|javascript|x-ndjson|yaml|x-yaml|toml)\b|application\/[\w.+-]+\+(json|xml)\b)/i;

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const policy = runPolicy(io, "web_fetch");
  const fetched = await fetchPublic(args.url, { maxBytes: MAX_BYTES, timeoutMs: args.timeout_ms, policy });
  const { status, contentType, bytes } = fetched;
  if (contentType !== "" && !TEXT.test(contentType)) {
    throw new BuiltinError(`${fetched.url} is ${cutText(contentType, 100)}, which is not text.`);
  }
  const body = decodeBody(bytes, contentType);
  const isPage = /html/i.test(contentType) || (contentType === "" && /^\s*<(!doctype|html)/i.test(body));
  const page = isPage && !args.raw ? extractText(body) : { title: "", text: body };
  return {
    url: fetched.url,
    redirects: fetched.redirects.map((url) => cutText(url, 2000)),
    status,
    contentType: cutText(contentType, 200),
    title: cutText(page.title, 300),
    text: page.text.slice(0, args.max_chars),
    truncated: fetched.truncated || page.text.length > args.max_chars,
  };
}

function decodeBody(bytes: Buffer, contentType: string): string {
  const named =
    /charset="?([\w-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]+charset="?([\w-]+)/i.exec(bytes.subarray(0, 1024).toString("latin1"))?.[1];
  try {
    return new TextDecoder(named ?? "utf-8").decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function extractText(html: string): { title: string; text: string } {
  const title = /<title[^<>]*>([^<]*)/i.exec(html)?.[1] ?? "";
  let rest = dropBetween(html, "<!--", "-->");
  for (const name of LEFT_OUT) rest = dropElement(rest, name);
  const text = rest.replace(new RegExp(`</?(?:${BLOCKS})\\b[^<>]*>`, "gi"), "\n").replace(/<[^<>]*>/g, "");
  return { title: tidy(decode(title)).replace(/\n+/g, " "), text: tidy(decode(text)) };
}

/** By searching instead of one pattern, which would take quadratic time when the end is missing. */
function dropElement(html: string, name: string): string {
  const opening = new RegExp(`<${name}(?=[\\s/>])`, "gi");
  const closing = new RegExp(`</${name}\\s*>`, "gi");
  const kept: string[] = [];
  let from = 0;
  for (let found = opening.exec(html); found; found = opening.exec(html)) {
    kept.push(html.slice(from, found.index));
    closing.lastIndex = found.index;
    const end = closing.exec(html);
    from = end ? closing.lastIndex : Math.max(found.index, html.indexOf(">", found.index) + 1);
    if (!end) break;
    opening.lastIndex = from;
  }
  return kept.join("\n") + html.slice(from);
}

function dropBetween(text: string, start: string, end: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, from)) {
    kept.push(text.slice(from, at));
    const close = text.indexOf(end, at + start.length);
    if (close < 0) return kept.join("");
    from = close + end.length;
  }
  return kept.join("") + text.slice(from);
}

function decode(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,10});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "";
  });
}

function tidy(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(/[^\S\n]+/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
