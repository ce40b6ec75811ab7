import { z } from "zod";
import { ERROR_STATUS } from "@/lib/core/errors";
import { Problem } from "@/lib/core/schema";
import { loopTurn } from "@/lib/core/threads/loop-turn";
import type { Access } from "@/lib/policy/require-scope";
import packageJson from "@/package.json" with { type: "json" };
import { METHODS, operationId } from "./operation-id";
import type { RouteHandler } from "./route";

type Json = Record<string, unknown>;
const PROBLEM = { $ref: "#/components/responses/Problem" };
const FILE: Json = {
  type: "object",
  properties: { file: { type: "string", format: "binary" } },
  required: ["file"],
};

type Part = { tag?: string | undefined; isOutline?: boolean };

/**
 * Builds the OpenAPI 3.1 description of route modules from the zod schemas that parse their requests. Readers that show
 * parts ask for the operations of one `tag`, or for an outline: operations without parameters, bodies and answers.
 */
export async function describeApi(
  table: readonly (readonly [path: string, module: Record<string, unknown>])[],
  publicUrl: string,
  { tag, isOutline = false }: Part = {},
): Promise<Json> {
  const paths: Record<string, Json> = {};
  for (const [path, module] of table) {
    await loopTurn();
    const address = path.replace(/\[\.\.\.(\w+)\]/g, "{$1}").replace(/\[(\w+)\]/g, "{$1}");
    if (tag !== undefined && tagOf(address) !== tag) continue;
    const operations = METHODS.flatMap((method) => {
      const definition = (module[method] as RouteHandler | undefined)?.definition;
      return definition && !definition.hidden
        ? [
            [
              method.toLowerCase(),
              {
                operationId: operationId(method, address),
                tags: [tagOf(address)],
                ...(isOutline ? outlineOf(definition) : operation(definition)),
              },
            ],
          ]
        : [];
    });
    if (operations.length > 0) paths[address] = Object.fromEntries(operations);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Skillgate",
      version: packageJson.version,
      description:
        "Errors are RFC 9457 problems with a stable `code`. `x-agents` says whether a token that acts under a persona may call an operation.",
      license: { name: packageJson.license },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(TAGS).map(([name, { description }]) => ({ name, description })),
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem) },
      responses: {
        Problem: {
          description: "A problem",
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        },
      },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A personal or agent token (sgt_…)." },
        session: { type: "apiKey", in: "cookie", name: "next-auth.session-token" },
        worker: { type: "http", scheme: "bearer", description: "A worker token (sgw_…)." },
      },
      "x-error-codes": ERROR_STATUS,
    } as Json,
  };
}

const TAGS: Record<string, { description: string; parts: string }> = {
  skills: {
    description: "Skills with their versions and files, collections, publishers and integrations.",
    parts: "skills collections publishers integrations export",
  },
  reviews: {
    description: "Pending versions and overlays, evaluations, and the keys of approvals.",
    parts: "reviews review-keys bill-of-materials overlays evaluations credentials",
  },
  runs: {
    description: "Runs of skills, their approvals, schedules and standard operating procedures.",
    parts: "runs approvals schedules sops edges worker-allowances",
  },
  catalog: { description: "Skills from the sources that admins configure.", parts: "catalog catalog-hooks" },
  agents: {
    description: "Tools, sessions and traces of agents; the playground; MCP.",
    parts: "agent traces playground models mcp",
  },
  audit: { description: "The events of the audit log, their filters and saved views.", parts: "audit" },
  account: {
    description: "Sign-in, sessions, tokens and addresses of the caller.",
    parts: "me auth sessions tokens invites setup device-logins oauth cli capability-urls .well-known",
  },
  clients: {
    description:
      "Indexes, archives, git repositories, the ClawHub API and Anthropic’s Skills API for programs that install skills.",
    parts: "distribution v1 search updates.json updates.atom connect",
  },
  admin: { description: "Administration of the server.", parts: "admin" },
  workers: { description: "Protocol of workers.", parts: "worker" },
  instance: {
    description: "The state of this server, and this description.",
    parts: "health ready metrics openapi.json",
  },
};
const TAG_OF = new Map(Object.entries(TAGS).flatMap(([tag, { parts }]) => parts.split(" ").map((part) => [part, tag])));

function tagOf(address: string): string {
  if (/^\/api\/skills\/\{\w+\}\/runs$/.test(address)) return "runs";
  if (address.startsWith("/.well-known/skillgate-")) return "reviews";
  const [, first = "", second = ""] = address.split("/");
  return TAG_OF.get(first === "api" ? second : first) ?? "instance";
}

function outlineOf({ summary, access, agents }: RouteHandler["definition"]): Json {
  return { summary, "x-access": access, "x-agents": agents ?? "closed", responses: {} };
}

function operation(definition: RouteHandler["definition"]): Json {
  const { access, params, query, body, rawBody, status = 200, idempotent } = definition;
  const { answer, media = [], also = {} } = definition;
  const parameters = [
    ...parametersOf(params, "path"),
    ...parametersOf(query, "query"),
    ...(idempotent
      ? [{ name: "Idempotency-Key", in: "header", required: false, schema: { type: "string", maxLength: 200 } }]
      : []),
  ];
  const content = body
    ? { "application/json": { schema: schemaOf(body) } }
    : rawBody && {
        [rawBody.contentType]: { schema: rawBody.schema ? schemaOf(rawBody.schema) : FILE },
      };
  return {
    ...outlineOf(definition),
    security: securityOf(access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(content ? { requestBody: { required: needsBody(definition), content } } : {}),
    responses: {
      [status]: { description: "Done", ...contentOf(answer, media) },
      ...Object.fromEntries(
        Object.entries(also).map(([other, { description, answer: its }]) => [
          other,
          { description, ...(its === undefined ? contentOf(answer, media) : contentOf(its, [])) },
        ]),
      ),
      "4XX": PROBLEM,
      default: PROBLEM,
    },
  };
}

function contentOf(answer: z.ZodType | null | undefined, media: readonly string[]): Json {
  const json = answer ? [["application/json", { schema: schemaOf(answer, "output") }]] : [];
  const others = media.map((type) => [
    type,
    { schema: { type: "string", ...(isText(type) ? {} : { format: "binary" }) } },
  ]);
  const content = [...json, ...others];
  return content.length > 0 ? { content: Object.fromEntries(content) } : {};
}

function isText(type: string): boolean {
  return type.startsWith("text/") || /[/+](xml|x-ndjson)$/.test(type);
}

/** A missing JSON body is read as `{}`, so it is optional when the schema accepts that. */
function needsBody({ body }: Pick<RouteHandler["definition"], "body">): boolean {
  return !body?.safeParse({}).success;
}

function securityOf(access: Access): Json[] {
  if (access === "public") return [];
  if (access === "worker") return [{ worker: [] }];
  return access === "session" ? [{ session: [] }] : [{ bearer: [] }, { session: [] }];
}

function schemaOf(schema: z.ZodType, io: "input" | "output" = "input"): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => nameProperties(jsonSchema),
  });
  return rest;
}

/** Turns a record with a fixed list of keys into named properties, which code generators support. */
function nameProperties(schema: z.core.JSONSchema.BaseSchema): void {
  const { propertyNames: names, required, properties, additionalProperties } = schema;
  if (typeof names !== "object" || !names.enum || !required || properties || typeof additionalProperties !== "object")
    return;
  schema.properties = Object.fromEntries(required.map((name) => [name, additionalProperties]));
  schema.additionalProperties = false;
  delete schema.propertyNames;
}

function parametersOf(schema: z.ZodType | undefined, place: "path" | "query"): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property;
    return {
      name,
      in: place,
      required: place === "path" || required.includes(name),
      schema: rest,
      ...(description ? { description } : {}),
    };
  });
}
