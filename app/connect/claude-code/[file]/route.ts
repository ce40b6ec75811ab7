import { z } from "zod";
import { writeClaudeCodeHook, writeClaudeCodeSettings } from "@/lib/agent/claude-code-hook";
import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { route } from "@/lib/http/route";
import { JsonObject } from "@/lib/skill-format/schema";

export const GET = route({
  access: "public",
  agents: "open",
  summary: "Claude Code hook that enforces the skill’s tool limits, and its settings",
  params: z.object({ file: z.string() }),
  media: ["text/plain"],
  answer: JsonObject,
  handle: async ({ params: { file } }) => {
    if (file === "authorize-tool.mjs") return text(writeClaudeCodeHook(getEnv().publicUrl), "text/plain");
    if (file === "settings.json") return text(writeClaudeCodeSettings(), "application/json");
    throw new AppError("not_found", "This folder has authorize-tool.mjs and settings.json only.");
  },
});

function text(body: string, type: string): Response {
  return new Response(body, { headers: { "content-type": `${type}; charset=utf-8` } });
}
