import { z } from "zod";
import { ERROR_STATUS } from "@/lib/core/errors";
import { Problem } from "@/lib/core/schema";
import type { Access } from "@/lib/policy/assert-access";
import packageJson from "@/package.json" with { type: "json" };
import type { RouteHandler } from "./route";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Json = Record<string, unknown>;
const FILE: Json = {
  type: "object",
  properties: { file: { type: "string", format: "binary" } },
  required: ["file"],
};

/** The OpenAPI 3.1 description of some route modules, from the same zod schemas that parse their requests. */
export function describeApi(table: [path: string, module: Record<string, unknown>][], publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const [path, module] of table) {
    const address = path.replace(/\[\.\.\.(\w+)\]/g, "{$1}").replace(/\[(\w+)\]/g, "{$1}");
    const operations = METHODS.flatMap((method) => {
      const definition = (module[method] as RouteHandler | undefined)?.definition;
      return definition && !definition.hidden
        ? [[method.toLowerCase(), operation(definition, `${method} ${address}`)]]
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
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem) },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A personal or agent token (sgt_…)." },
        session: { type: "apiKey", in: "cookie", name: "next-auth.session-token" },
        worker: { type: "http", scheme: "bearer", description: "A worker token (sgw_…)." },
      },
      "x-error-codes": ERROR_STATUS,
    } as Json,
  };
}

function operation(definition: RouteHandler["definition"], operationId: string): Json {
  const { access, agents, summary, params, query, body, rawBody, answer, status = 200, idempotent } = definition;
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
    operationId,
    summary,
    "x-access": access,
    "x-agents": agents ?? "closed",
    security: securityOf(access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: {
      [status]: {
        description: "Done",
        ...(answer ? { content: { "application/json": { schema: schemaOf(answer, "output") } } } : {}),
      },
      default: {
        description: "A problem",
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

function securityOf(access: Access): Json[] {
  if (access === "public") return [];
  if (access === "worker") return [{ worker: [] }];
  return access === "session" ? [{ session: [] }] : [{ bearer: [] }, { session: [] }];
}

function schemaOf(schema: z.ZodType, io: "input" | "output" = "input"): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
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
