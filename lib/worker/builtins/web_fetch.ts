import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata } from "./kit/builtin";
import { cutText } from "./kit/cut-text";
import { extractText } from "./kit/extract-text";
import { fetchPublic } from "./kit/fetch-public";
import { runPolicy } from "./kit/run-policy";

const schema = () =>
  z.strictObject({
    url: z.string().min(1).max(2000).describe("Address of the page, http or https."),
    max_chars: z.int().min(100).max(200_000).default(50_000).describe("How much of the text, in characters."),
    raw: z.boolean().default(false).describe("Whether an HTML page is given as it is, not as readable text."),
    timeout_ms: z.int().min(500).max(25_000).default(15_000).describe("For the whole fetch, in milliseconds."),
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
