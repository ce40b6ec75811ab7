import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata, cutText } from "./kit/builtin";
import { readJson } from "./kit/read-json";

const schema = () =>
  z.strictObject({
    query: z.string().trim().min(1).max(500).describe("Search text."),
    count: z.int().min(1).max(20).default(10).describe("Maximum number of results."),
    time_range: z.enum(["day", "week", "month", "year"]).optional().describe("Maximum age of the results."),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/)
      .optional()
      .describe("Language of the results, such as en or de-CH."),
  });

export const metadata: BuiltinMetadata = {
  name: "web_search",
  label: "Search the web",
  description:
    "Search the web through the SearXNG instance that the operator configured, and return titles, addresses and excerpts.",
  class: "safe",
  scope: "manager",
  category: "web",
  schema,
  resultPreview: "results with title, url, excerpt and engine; suggestions",
  grants: { namespaces: ["net"], env: ["SEARXNG_URL"] },
};

type Answer = {
  results?: { title?: unknown; url?: unknown; content?: unknown; engine?: unknown; publishedDate?: unknown }[];
  suggestions?: unknown[];
};

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const { results = [], suggestions = [] } = await ask(args, io);
  const found = (Array.isArray(results) ? results : []).filter(({ url }) => /^https?:\/\//i.test(String(url)));
  return {
    query: args.query,
    results: found.slice(0, args.count).map((result) => ({
      title: cutText(String(result.title ?? ""), 300),
      url: cutText(String(result.url), 2000),
      excerpt: cutText(String(result.content ?? ""), 1000),
      engine: cutText(String(result.engine ?? ""), 100),
      publishedAt: typeof result.publishedDate === "string" ? cutText(result.publishedDate, 50) : null,
    })),
    suggestions: (Array.isArray(suggestions) ? suggestions : []).slice(0, 10).map((text) => cutText(String(text), 200)),
  };
}

async function ask(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<Answer> {
  const { query: q, time_range, language } = args;
  try {
    const query = { q, time_range, language, format: "json" };
    return (await readJson(
      io,
      { name: "SearXNG", prefix: "SEARXNG" },
      { path: "/search", query, timeoutMs: 20_000 },
    )) as Answer;
  } catch (failure) {
    if (failure instanceof BuiltinError && /answered 403/.test(failure.message)) {
      throw new BuiltinError("SearXNG refuses: its settings must list “json” under search.formats.", {
        cause: failure,
      });
    }
    throw failure;
  }
}
