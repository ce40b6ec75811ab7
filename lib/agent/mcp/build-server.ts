import { Server } from "@modelcontextprotocol/sdk/server/index.js";
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
import packageJson from "@/package.json" with { type: "json" };
import { listTools } from "../list-tools";
import { answer } from "./asked-request";
import { callByMcp } from "./call-by-mcp";
import { completeArgument } from "./complete-argument";
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
  server.setRequestHandler(
    ListToolsRequestSchema,
    answer("tools/list", async ({ ctx, session }) => {
      const { tools } = await listTools(ctx, session, { canConfirm: session.canConfirm });
      return { tools: tools.map(toolOf) };
    }),
  );
  server.setRequestHandler(CallToolRequestSchema, answer("tools/call", callByMcp));
  server.setRequestHandler(ListResourcesRequestSchema, answer("resources/list", listResources));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, answer("resources/templates/list", listTemplates));
  server.setRequestHandler(ReadResourceRequestSchema, answer("resources/read", readResource));
  server.setRequestHandler(ListPromptsRequestSchema, answer("prompts/list", listPrompts));
  server.setRequestHandler(GetPromptRequestSchema, answer("prompts/get", getPrompt));
  server.setRequestHandler(CompleteRequestSchema, answer("completion/complete", completeArgument));
  server.setRequestHandler(ListSkillsRequest, answer("skills/list", listManifests));
  server.setRequestHandler(SkillRequest, answer("skills/get", getManifest));
  server.setRequestHandler(ReadDirectoryRequest, answer("resources/directory/read", readDirectory));
  server.setRequestHandler(
    SetLevelRequestSchema,
    answer("logging/setLevel", async ({ session }, { params }) => {
      session.level = params.level;
      return {};
    }),
  );
  return server;
}

type Listed = Awaited<ReturnType<typeof listTools>>["tools"][number];

function toolOf({ name, title, description, inputSchema, annotations }: Listed) {
  return { name, title, description, inputSchema: { ...inputSchema, type: "object" as const }, annotations };
}
