import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { Protocol } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import packageJson from "@/package.json" with { type: "json" };
import { listTools } from "../list-tools";
import { type Asked, answer, type MessageExtra } from "./asked-request";
import { callByMcp } from "./call-by-mcp";
import { completeArgument } from "./complete-argument";
import { readMessage } from "./read-message";
import { getManifest, listManifests } from "./skill-manifests";
import { getPrompt, listPrompts } from "./skill-prompts";
import { listResources, listTemplates, readDirectory, readResource } from "./skill-resources";
import { ListSkillsRequest, ReadDirectoryRequest, SkillRequest } from "./skills-extension";

const SKILLS_EXTENSION = "io.modelcontextprotocol/skills";

const INSTRUCTIONS = `Skillgate offers skills that people have reviewed. When a task fits the description of one, load its \
playbook with use_skill before you begin; list_skills finds more. Skills that run are tools of their own. A run that waits \
for people answers with its id and the state awaiting_approval: tell the person, and ask get_run later; do not call again.`;

/** The protocol’s side of one session: which messages are answered, and by what. */
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
      // The one that is made otherwise compiles schemas; the answer to the one question that is asked is read by hand.
      jsonSchemaValidator: {
        getValidator: () => () => {
          throw new Error("no schema is compiled");
        },
      },
    },
  );
  const on = <S extends z.ZodType, T extends object>(method: string, schema: S, handle: Handle<S, T>) => {
    const answering = answer(method, (asked, request, extra) =>
      handle(asked, readMessage(schema, method, request), extra),
    );
    // Past the override of Server, which reads the messages of tools/call by itself.
    Protocol.prototype.setRequestHandler.call(server, z.looseObject({ method: z.literal(method) }), answering as never);
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

type Handle<S extends z.ZodType, T> = (asked: Asked, request: z.output<S>, extra: MessageExtra) => Promise<T>;

type Listed = Awaited<ReturnType<typeof listTools>>["tools"][number];

function toolOf({ name, title, description, inputSchema, annotations }: Listed) {
  return { name, title, description, inputSchema: { ...inputSchema, type: "object" as const }, annotations };
}
