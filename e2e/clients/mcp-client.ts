import { Client as SdkClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError, ResourceListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { assert } from "./assert";
import type { Client } from "./client";

const Text = z.object({ contents: z.array(z.object({ text: z.string() })).min(1) });
const Said = z.object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })) });

type Options = { name: string; url: string; token: string };

/** The client of the MCP SDK, with the owner's token: reading a resource is an install, and reading it again an update. */
export async function mcpClient({ name, url, token }: Options): Promise<Client> {
  const client = new SdkClient({ name: "skillgate-e2e", version: "1.0.0" });
  let changes = 0;
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
    changes += 1;
  });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));

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
      if (error instanceof McpError) return null;
      throw error;
    }
  };

  return {
    name,
    asks: ["owner"],
    removesRevoked: true,
    list: async () => {
      const { resources } = await client.listResources();
      return resources.map(({ uri }) => uri).join("\n");
    },
    search: (word) => call("list_skills", { query: word }),
    install: read,
    update: read,
    publish: async (skill, text) => {
      const [, frontmatter = "", body = ""] = text.split(/^---$/m);
      const description = /^description: (.*)$/m.exec(frontmatter)?.[1] ?? skill;
      const said = await call("save_skill", { name: skill, description, body: body.trim() });
      assert(/waits for a person/.test(said), `it does not say that it waits: ${said}`);
    },
    extras: (skill) => [
      {
        title: "loads a skill by use_skill, and has it as a prompt",
        work: async () => {
          assert((await call("use_skill", { name: skill })).includes("Edition"), "use_skill loads another text");
          const { prompts } = await client.listPrompts();
          assert(
            prompts.some((prompt) => prompt.name === skill),
            "it is no prompt",
          );
        },
      },
      {
        title: "has been told that the list changed",
        work: async () => {
          assert(changes > 0, "no notification came");
        },
      },
    ],
    close: () => client.close(),
  };
}
