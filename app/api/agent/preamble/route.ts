import { buildPreamble } from "@/lib/agent/preamble/build-preamble";
import { Preamble, PreambleQuery } from "@/lib/agent/preamble/schema";
import { agentSessionOf } from "@/lib/http/agent-session";
import { route } from "@/lib/http/route";

const TYPES = { xml: "text/plain", markdown: "text/markdown", json: "application/json" } as const;

export const GET = route({
  access: "read",
  agents: "open",
  summary: "Skill index for an agent’s prompt, as text or JSON",
  query: PreambleQuery,
  answer: Preamble,
  media: ["text/plain", "text/markdown"],
  handle: async ({ ctx, query, request }) => {
    const session = await agentSessionOf(ctx, request);
    const { text, preamble } = await buildPreamble(ctx, session, query);
    const { characters, tokens } = preamble.budget;
    return new Response(text, {
      headers: {
        "content-type": `${TYPES[query.format]}; charset=utf-8`,
        "x-context-characters": String(characters),
        "x-context-tokens": String(tokens),
        "x-skills-listed": String(preamble.skills.length),
        "x-skills-hidden": String(preamble.hidden.total),
        "x-agent-session": session.id,
      },
    });
  },
});
