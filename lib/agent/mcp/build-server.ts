import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { Protocol } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  type CompleteRequest,
  CompleteRequestSchema,
  ElicitResultSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { logger } from "@/lib/core/logger";
import packageJson from "@/package.json";
import type { Confirmation } from "../call-skill-tool";
import { callTool } from "../call-tool";
import { listTools } from "../list-tools";
import { offeredSkills } from "../offers/offered-skills";
import { mayModelRead } from "../sessions/session-limits";
import { createHandler, type MessageExtra, type RequestContext } from "./request-context";
import { createRunNotifier } from "./run-notifier";
import { contentOf, getManifest, listManifests, readableFiles } from "./skill-manifests";
import { getPrompt, listPrompts } from "./skill-prompts";
import { listResources, listTemplates, readDirectory, readResource } from "./skill-resources";
import { ListSkillsRequest, ReadDirectoryRequest, SkillRequest } from "./skill-uri";

const DETACH = "skillgate/detach";

/** Below the default timeout of clients, one minute, after which they cancel the call. `get_run` returns later results. */
const WAIT_SECONDS = 50;
const CONFIRM_TIMEOUT_MS = 5 * 60_000;
const MAX_SHOWN_CHARS = 4_000;
const MAX_COMPLETIONS = 100;

const Property = z.object({ enum: z.array(z.unknown()) });

const SKILLS_EXTENSION = "io.modelcontextprotocol/skills";

const INSTRUCTIONS = `Skillgate offers skills that people have reviewed. When a task fits the description of one, load its \
playbook with use_skill before you begin; list_skills finds more. Skills that run are tools of their own. A run that waits \
for people answers with its id and the state awaiting_approval: tell the person, and ask get_run later; do not call again.`;

export function buildServer(): Server {
  const server = new Server(
    { name: "skillgate", title: "Skillgate", version: packageJson.version },
    {
      instructions: INSTRUCTIONS,
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
        extensions: { [SKILLS_EXTENSION]: { directoryRead: true } },
      },
      // Avoids the default validator, which compiles schemas; the one expected answer is checked by hand.
      jsonSchemaValidator: {
        getValidator: () => () => {
          throw new Error("no schema is compiled");
        },
      },
    },
  );
  const on = <S extends z.ZodType, T extends object>(method: string, schema: S, handle: Handle<S, T>) => {
    const handler = createHandler(method, (context, request, extra) =>
      handle(context, readMessage(schema, method, request), extra),
    );
    // Bypasses the override of Server, which parses the messages of tools/call itself.
    Protocol.prototype.setRequestHandler.call(server, z.looseObject({ method: z.literal(method) }), handler as never);
  };
  on("tools/list", ListToolsRequestSchema, async ({ ctx, session }) => {
    const { tools } = await listTools(ctx, session, { canConfirm: session.canConfirm });
    return { tools: tools.map(toolOf) };
  });
  on("tools/call", CallToolRequestSchema, callByMcp);
  on("resources/list", ListResourcesRequestSchema, listResources);
  on("resources/templates/list", ListResourceTemplatesRequestSchema, listTemplates);
  on("resources/read", ReadResourceRequestSchema, readResource);
  on("prompts/list", ListPromptsRequestSchema, listPrompts);
  on("prompts/get", GetPromptRequestSchema, getPrompt);
  on("completion/complete", CompleteRequestSchema, completeArgument);
  on("skills/list", ListSkillsRequest, listManifests);
  on("skills/get", SkillRequest, getManifest);
  on("resources/directory/read", ReadDirectoryRequest, readDirectory);
  on("logging/setLevel", SetLevelRequestSchema, async ({ session }, { params }) => {
    session.level = params.level;
    return {};
  });
  return server;
}

type Handle<S extends z.ZodType, T> = (asked: RequestContext, request: z.output<S>, extra: MessageExtra) => Promise<T>;

type Listed = Awaited<ReturnType<typeof listTools>>["tools"][number];

function toolOf({ name, title, description, inputSchema, annotations }: Listed) {
  return { name, title, description, inputSchema: { ...inputSchema, type: "object" as const }, annotations };
}

/** The SDK would answer an invalid message with an internal error and the validator's text. */
function readMessage<S extends z.ZodType>(schema: S, method: string, message: unknown): z.output<S> {
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

/**
 * Calls a tool and notifies the client of the run's progress. The run is cancelled when the client cancels the call,
 * disconnects or ends its session. With `"skillgate/detach": true` in the call’s `_meta` it continues, for get_run.
 */
async function callByMcp(
  { ctx, session, disconnectSignal }: RequestContext,
  { params }: CallToolRequest,
  extra: MessageExtra,
): Promise<CallToolResult> {
  const isDetached = params._meta?.[DETACH] === true;
  const stop = new AbortController();
  const onCancel = () => {
    if (session.state === "open" || (session.state === "ended" && !isDetached)) stop.abort();
  };
  const onDisconnect = () => {
    if (session.state !== "detached" && !isDetached) stop.abort();
  };
  extra.signal.addEventListener("abort", onCancel);
  disconnectSignal.addEventListener("abort", onDisconnect);
  if (disconnectSignal.aborted) onDisconnect();
  const notifier = createRunNotifier(session, extra, { tool: params.name, progressToken: params._meta?.progressToken });
  session.calls += 1;
  try {
    const { content, notes, structured, isError } = await callTool(ctx, session, params.name, params.arguments ?? {}, {
      signal: stop.signal,
      onAbort: "cancel",
      waitSeconds: WAIT_SECONDS,
      onEvent: notifier.onEvent,
      canConfirm: session.canConfirm,
      ...(session.canConfirm ? { confirm: askPerson(extra, stop.signal) } : {}),
    });
    await notifier.finish();
    const texts = [content, ...notes].map((text) => ({ type: "text" as const, text }));
    return { content: texts, structuredContent: structured, isError };
  } finally {
    notifier.stop();
    session.calls -= 1;
    session.lastUsedAt = performance.now();
    extra.signal.removeEventListener("abort", onCancel);
    disconnectSignal.removeEventListener("abort", onDisconnect);
    // The SDK sends no answer to a cancelled call and would leave its stream open.
    if (extra.signal.aborted) session.transport.closeSSEStream(extra.requestId);
  }
}

/** Asks by an elicitation form with a checkbox; anything but a checked, accepted form within five minutes is a no. */
function askPerson(extra: MessageExtra, signal: AbortSignal): (question: Confirmation) => Promise<boolean> {
  return async ({ tool, reason, args }) => {
    const shown = JSON.stringify(args, null, 2);
    const cut = shown.length > MAX_SHOWN_CHARS ? `${shown.slice(0, MAX_SHOWN_CHARS)}…` : shown;
    const box = { type: "boolean" as const, title: "Run it now", default: false };
    const params = {
      mode: "form" as const,
      message: `Run “${tool.title}”? ${reason.replace(/ Send confirm.*$/, "")}\n\nArguments:\n${cut}`,
      requestedSchema: { type: "object" as const, properties: { confirm: box }, required: ["confirm"] },
    };
    try {
      const asked = { method: "elicitation/create" as const, params };
      const answer = await extra.sendRequest(asked, ElicitResultSchema, { timeout: CONFIRM_TIMEOUT_MS, signal });
      return answer.action === "accept" && answer.content?.confirm === true;
    } catch (error) {
      logger.debug({ err: error }, "a client did not answer a confirmation request");
      return false;
    }
  };
}
