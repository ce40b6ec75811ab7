import {
  type CompleteRequest,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  type ListToolsRequest,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import packageJson from "@/package.json";
import { listTools } from "../list-tools";
import { offeredSkills } from "../offers/offered-skills";
import { mayModelRead } from "../sessions/session-limits";
import type { RequestContext } from "./request-context";
import { contentOf, getManifest, listManifests, readableFiles } from "./skill-manifests";
import { getPrompt, listPrompts } from "./skill-prompts";
import { listResources, listTemplates, readDirectory, readResource } from "./skill-resources";
import { decodeCursor, encodeCursor, ListSkillsRequest, ReadDirectoryRequest, SkillRequest } from "./skill-uri";

const MAX_COMPLETIONS = 100;

const Property = z.object({ enum: z.array(z.unknown()) });

export const SERVER_INFO = { name: "skillgate", title: "Skillgate", version: packageJson.version };

export const INSTRUCTIONS = `Skillgate offers skills that people have reviewed. When a task fits the description of one, load its \
playbook with use_skill before you begin; list_skills finds more. Skills that run are tools of their own. A run that waits \
for people answers with its id and the state awaiting_approval: tell the person, and ask get_run later; do not call again.`;

export const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
  extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } },
};

const TOOLS_PAGE = 500;

type Method = {
  /** Parses a message and answers it; `McpError` with -32602 and a sentence for one that does not fit. */
  answer(context: RequestContext, message: unknown): Promise<object>;
};

/** The methods that are the same in all revisions of the protocol. */
export const METHODS: Readonly<Record<string, Method>> = {
  "tools/list": method("tools/list", ListToolsRequestSchema, listToolPage),
  "resources/list": method("resources/list", ListResourcesRequestSchema, listResources),
  "resources/templates/list": method("resources/templates/list", ListResourceTemplatesRequestSchema, listTemplates),
  "resources/read": method("resources/read", ReadResourceRequestSchema, readResource),
  "prompts/list": method("prompts/list", ListPromptsRequestSchema, listPrompts),
  "prompts/get": method("prompts/get", GetPromptRequestSchema, getPrompt),
  "completion/complete": method("completion/complete", CompleteRequestSchema, completeArgument),
  "skills/list": method("skills/list", ListSkillsRequest, listManifests),
  "skills/get": method("skills/get", SkillRequest, getManifest),
  "resources/directory/read": method("resources/directory/read", ReadDirectoryRequest, readDirectory),
};

function method<S extends z.ZodType>(
  name: string,
  schema: S,
  handle: (context: RequestContext, request: z.output<S>) => Promise<object>,
): Method {
  return { answer: async (context, message) => handle(context, readMessage(schema, name, message)) };
}

async function listToolPage({ ctx, session }: RequestContext, { params }: ListToolsRequest) {
  const after = params?.cursor === undefined ? null : decodeCursor(params.cursor);
  const { tools } = await listTools(ctx, session, { canConfirm: session.canConfirm });
  const from = after === null ? 0 : tools.findIndex(({ name }) => name === after) + 1;
  if (after !== null && from === 0) {
    throw new McpError(ErrorCode.InvalidParams, "The list changed. Begin it again, without a cursor.");
  }
  const page = tools.slice(from, from + TOOLS_PAGE);
  const last = tools.length > from + TOOLS_PAGE ? page.at(-1) : undefined;
  return {
    tools: page.map(({ name, title, description, inputSchema, annotations }) => ({
      ...{ name, title, description, annotations },
      inputSchema: { ...inputSchema, type: "object" as const },
    })),
    ...(last === undefined ? {} : { nextCursor: encodeCursor(last.name) }),
  };
}

/** The SDK would answer an invalid message with an internal error and the validator's text. */
export function readMessage<S extends z.ZodType>(schema: S, method: string, message: unknown): z.output<S> {
  const parsed = schema.safeParse(message);
  if (parsed.success) return parsed.data;
  throw new McpError(ErrorCode.InvalidParams, sentenceOf(method, message, parsed.error.issues[0]));
}

function sentenceOf(method: string, message: unknown, issue: z.core.$ZodIssue | undefined): string {
  const path = issue?.path.join(".") || "params";
  const value = issue?.path.reduce<unknown>(
    (at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined),
    message,
  );
  if (value === undefined) return `${method} needs ${path}.`;
  if (issue?.code === "invalid_type") return `${path} of ${method} must be of the type ${issue.expected}.`;
  if (issue?.code === "too_big") return `${path} of ${method} is longer than ${issue.maximum} characters.`;
  return `${path} of ${method} is not one of the values that the protocol knows.`;
}

/** Values of a prompt's argument, names of skills, or paths of a skill's files that begin with the given text. */
async function completeArgument({ ctx, session }: RequestContext, { params }: CompleteRequest) {
  const { ref, argument, context } = params;
  const { skills } = await offeredSkills(ctx, { canConfirm: session.canConfirm });
  const find = (name: string | undefined) => skills.find((skill) => skill.name === name);
  let candidates: string[] = [];
  if (ref.type === "ref/prompt") {
    const properties = find(ref.name)?.manifest.schema?.properties;
    const property = Property.safeParse(z.record(z.string(), z.unknown()).safeParse(properties).data?.[argument.name]);
    candidates = property.data?.enum.map(String) ?? [];
  } else if (argument.name === "name") {
    candidates = skills
      .filter(({ manifest }) => !manifest.disableModelInvocation)
      .map(({ name }) => name)
      .sort();
  } else if (argument.name === "path") {
    const skill = find(context?.arguments?.name);
    const mayRead = skill !== undefined && (await mayModelRead(ctx, session.id, skill));
    const files = mayRead ? readableFiles(skill, (await contentOf(ctx, skill)).files) : [];
    candidates = files.map(({ path }) => path);
  }
  const values = candidates.filter((value) => value.toLowerCase().startsWith(argument.value.toLowerCase()));
  return {
    completion: {
      values: values.slice(0, MAX_COMPLETIONS),
      total: values.length,
      hasMore: values.length > MAX_COMPLETIONS,
    },
  };
}
