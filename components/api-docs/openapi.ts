import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { api } from "@/lib/client/api";

const JsonSchema = z.record(z.string(), z.unknown());
export type JsonSchema = z.infer<typeof JsonSchema>;

const Content = z.record(z.string(), z.object({ schema: JsonSchema.optional() }));

const Parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: JsonSchema.default({}),
});
export type Parameter = z.infer<typeof Parameter>;

const Operation = z.object({
  summary: z.string().default(""),
  "x-access": z.string().default("public"),
  "x-agents": z.enum(["open", "closed"]).default("closed"),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string().default(""), content: Content.optional() })),
});

export const OpenApi = z.object({
  info: z.object({ title: z.string(), version: z.string() }),
  servers: z.array(z.object({ url: z.string() })).default([]),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ "x-error-codes": z.record(z.string(), z.number()).default({}) }),
});
export type OpenApi = z.infer<typeof OpenApi>;

export const openApiQuery = queryOptions({
  queryKey: ["openapi"],
  queryFn: ({ signal }) => api("/api/openapi.json", { schema: OpenApi, signal, signInOn401: false }),
  staleTime: 5 * 60_000,
});

export type ApiOperation = z.infer<typeof Operation> & { id: string; method: string; path: string };
export type ApiGroup = { id: string; title: string; operations: ApiOperation[] };

const methodOrder = ["get", "post", "put", "patch", "delete"];

/** Operations by the noun of their path: main objects first, administration and workers last. */
export function groupOperations(document: OpenApi): ApiGroup[] {
  const groups = new Map<string, ApiGroup>();
  for (const [path, methods] of Object.entries(document.paths)) {
    const noun = nounOf(path);
    const group = groups.get(noun) ?? { id: noun.replaceAll("/", "-"), title: titleOf(noun), operations: [] };
    groups.set(noun, group);
    for (const [method, operation] of Object.entries(methods)) {
      group.operations.push({ ...operation, id: anchorOf(method, path), method: method.toUpperCase(), path });
    }
  }
  for (const { operations } of groups.values()) {
    operations.sort(
      (a, b) =>
        a.path.localeCompare(b.path) ||
        methodOrder.indexOf(a.method.toLowerCase()) - methodOrder.indexOf(b.method.toLowerCase()),
    );
  }
  return [...groups].sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b)).map(([, group]) => group);
}

/** `/api/admin/users/{id}` → `admin/users`; `/api/skills/{id}/runs` → `runs`. */
function nounOf(path: string): string {
  if (/^\/api\/skills\/\{[^}]+\}\/runs$/.test(path)) return "runs";
  const [, first = "", second] = path.split("/").slice(1);
  if (first === "admin" && second) return `admin/${second}`;
  return first;
}

function titleOf(noun: string): string {
  const known: Record<string, string> = { me: "You", auth: "Sign-in", "openapi.json": "OpenAPI document" };
  if (known[noun]) return known[noun];
  const words = noun.replace("admin/", "").replaceAll("-", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const firstNouns = ["skills", "reviews", "runs", "approvals", "catalog", "agent", "audit", "me", "tokens", "sessions"];

function rank(noun: string): number {
  const place = firstNouns.indexOf(noun);
  if (place !== -1) return place;
  if (noun.startsWith("admin/")) return 50;
  return noun === "worker" ? 99 : 70;
}

function anchorOf(method: string, path: string): string {
  return `${method}${path.replace(/^\/api/, "").replace(/[^A-Za-z0-9]+/g, "-")}`.replace(/-$/, "");
}
