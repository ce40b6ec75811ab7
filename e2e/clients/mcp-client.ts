import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client as SdkClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { assert } from "./assert";
import type { Client } from "./client";

const Text = z.object({ contents: z.array(z.object({ text: z.string() })).min(1) });
const Said = z.object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })) });
const Resources = z.object({ resources: z.array(z.object({ uri: z.string() })) });
const Prompts = z.object({ prompts: z.array(z.object({ name: z.string() })) });
const InvalidParams = z.object({ code: z.literal(-32602) });

const INFO = { name: "skillgate-e2e", version: "1.0.0" };

type Options = { url: string; token: string };

/** The methods that the clients of both SDKs have. */
type Sdk = {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  listResources(): Promise<unknown>;
  listPrompts(): Promise<unknown>;
  close(): Promise<void>;
};
type Opened = { sdk: Sdk; changes(): number };

/** Connects the client of the SDK 1.x, which speaks the 2025 revisions. */
export async function connectSession({ url, token }: Options): Promise<Opened> {
  const client = new SdkClient(INFO);
  let changes = 0;
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
    changes += 1;
  });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  return { sdk: client, changes: () => changes };
}

type Modern = {
  Client: new (
    info: object,
    options: object,
  ) => Sdk & {
    connect(transport: object): Promise<void>;
    getProtocolEra(): string;
  };
  StreamableHTTPClientTransport: new (url: URL, options: object) => object;
};

/** Connects the client of the SDK 2.x, from the folder of its package, by revision 2026-07-28 alone. */
export async function connectStateless({ url, token, folder }: Options & { folder: string }): Promise<Opened> {
  const sdk: Modern = await import(pathToFileURL(join(folder, "dist", "index.mjs")).href);
  let changes = 0;
  const onChanged = () => {
    changes += 1;
  };
  const client = new sdk.Client(INFO, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
    listChanged: { resources: { onChanged, autoRefresh: false, debounceMs: 0 } },
  });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new sdk.StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  assert(client.getProtocolEra() === "modern", "it speaks an older revision");
  return { sdk: client, changes: () => changes };
}

/** A client of an MCP SDK, with the owner's token: reading a resource is an install, and reading it again an update. */
export function mcpClient(name: string, { sdk: client, changes }: Opened): Client {
  const call = async (tool: string, args: Record<string, unknown>) => {
    const answer = Said.parse(await client.callTool({ name: tool, arguments: args }));
    const text = answer.content.map((part) => part.text).join("\n");
    if (answer.isError === true) throw new Error(`${tool}: ${text}`);
    return text;
  };
  const read = async (skill: string) => {
    try {
      const { contents } = Text.parse(await client.readResource({ uri: `skill://${skill}/SKILL.md` }));
      return contents[0]?.text ?? null;
    } catch (error) {
      if (InvalidParams.safeParse(error).success) return null;
      throw error;
    }
  };

  return {
    name,
    asks: ["owner"],
    removesRevoked: true,
    list: async () => {
      const { resources } = Resources.parse(await client.listResources());
      return resources.map(({ uri }) => uri).join("\n");
    },
    search: (word) => call("list_skills", { query: word }),
    install: read,
    update: read,
    publish: async (skill, text) => {
      const [, frontmatter = "", body = ""] = text.split(/^---$/m);
      const description = /^description: (.*)$/m.exec(frontmatter)?.[1] ?? skill;
      const said = await call("save_skill", { name: skill, description, body: body.trim() });
      assert(/until a person has reviewed it/.test(said), `it does not say that it waits: ${said}`);
    },
    extras: (skill) => [
      {
        title: "loads a skill by use_skill, and has it as a prompt",
        work: async () => {
          assert((await call("use_skill", { name: skill })).includes("Edition"), "use_skill loads another text");
          const { prompts } = Prompts.parse(await client.listPrompts());
          assert(
            prompts.some((prompt) => prompt.name === skill),
            "it is no prompt",
          );
        },
      },
      {
        title: "has been told that the list changed",
        work: async () => {
          assert(changes() > 0, "no notification came");
        },
      },
    ],
    close: () => client.close(),
  };
}
