import { queryOptions } from "@tanstack/react-query";
import { answerOf, api, withQuery } from "@/lib/client/api";
import { scoreText } from "@/lib/skill-format/search-words";

export type JsonSchema = Record<string, unknown>;

type Content = Record<string, { schema?: JsonSchema }>;

export type Parameter = { name: string; in: string; required: boolean; description?: string; schema: JsonSchema };

type Operation = {
  tags: string[];
  summary: string;
  "x-access": string;
  "x-agents": "open" | "closed";
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description?: string; content?: Content }>;
};

/** An operation without its empty parts, as the document leaves them out. */
type WrittenOperation = Pick<Operation, "responses"> & Partial<Operation>;

export type OpenApi = {
  info: { title: string; version: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, WrittenOperation>>;
  components: { "x-error-codes": Record<string, number> };
};

const partQuery = (part: Record<string, string>) =>
  queryOptions({
    queryKey: ["openapi", part],
    queryFn: ({ signal }) =>
      api(withQuery("/api/openapi.json", part), { shape: answerOf<OpenApi>(), signal, signInOn401: false }),
    staleTime: 5 * 60_000,
  });

/** All operations by name, without parameters, bodies and answers: the whole description is twenty times as large. */
export const outlineQuery = partQuery({ outline: "true" });

export const operationsQuery = (tag: string) => partQuery({ tag });

export type ApiOperation = Operation & { id: string; method: string; path: string };
export type ApiGroup = { id: string; title: string; description: string; operations: ApiOperation[] };

const methodOrder = ["get", "post", "put", "patch", "delete"];

const EMPTY = { tags: [], summary: "", "x-access": "public", "x-agents": "closed" as const, parameters: [] };

const titles: Record<string, string> = {
  agents: "Agents and playground",
  audit: "Audit log",
  account: "Account and sign-in",
  clients: "Installing clients",
  admin: "Administration",
  instance: "This server",
};

/** Operations by tag, in the order of the document's tags; within a tag by address. */
export function groupOperations(document: OpenApi): ApiGroup[] {
  const groups = new Map(
    document.tags.map(({ name, description }): [string, ApiGroup] => [
      name,
      { id: name, title: titles[name] ?? capitalised(name), description, operations: [] },
    ]),
  );
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const all = { ...EMPTY, ...operation, id: anchorOf(method, path), method: method.toUpperCase(), path };
      groups.get(all.tags[0] ?? "")?.operations.push(all);
    }
  }
  for (const { operations } of groups.values()) {
    operations.sort(
      (a, b) =>
        a.path.localeCompare(b.path) ||
        methodOrder.indexOf(a.method.toLowerCase()) - methodOrder.indexOf(b.method.toLowerCase()),
    );
  }
  return [...groups.values()].filter(({ operations }) => operations.length > 0);
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** Operations whose name or address answers a search, the best first; typing errors are forgiven. */
export function findOperations(groups: readonly ApiGroup[], typed: string): (ApiOperation & { group: string })[] {
  return groups
    .flatMap(({ title, operations }) =>
      operations.map((operation) => {
        const { summary, method, path } = operation;
        const score = 2 * scoreText(typed, summary) || scoreText(typed, `${method} ${path} ${summary} ${title}`);
        return { ...operation, group: title, score };
      }),
    )
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

/** The group that an anchor belongs to; null for the basics, such as error codes. */
export function groupOfAnchor(groups: readonly ApiGroup[], anchor: string): ApiGroup | null {
  return groups.find(({ id, operations }) => id === anchor || operations.some((one) => one.id === anchor)) ?? null;
}

function anchorOf(method: string, path: string): string {
  // ClawHub’s addresses differ from those of the Skills API by /api alone.
  return `${method}${path.replace(/^\/api(?!\/v1\/)/, "").replace(/[^A-Za-z0-9]+/g, "-")}`.replace(/-$/, "");
}
