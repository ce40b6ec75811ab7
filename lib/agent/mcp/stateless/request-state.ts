import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { canonicalJson } from "@/lib/core/json";
import { loadSealingKey, seal, unseal } from "@/lib/core/seal";
import type { Ctx } from "@/lib/db/context";
import type { Confirmation } from "../../call-skill-tool";
import { ownerKeyOf } from "../mcp-sessions";

const LIFE_MS = 5 * 60_000;

const Asked = z.strictObject({
  /** Becomes the id of the run's step, so one answer starts at most one run. */
  id: z.string(),
  until: z.number(),
  tool: z.string(),
  argsDigest: z.string(),
  versionDigest: z.string(),
  class: z.string(),
});
export type Asked = z.infer<typeof Asked>;

/**
 * What the person is asked, as the opaque `requestState` of the answer `input_required` (basic/patterns/mrtr): encrypted and
 * authenticated for this token, this call and this version, for five minutes.
 */
export async function sealQuestion(
  ctx: Ctx,
  { tool, args, versionDigest, class: riskClass }: Confirmation,
): Promise<string> {
  const asked: Asked = {
    ...{ id: newId(), until: ctx.now().getTime() + LIFE_MS, tool: tool.name, argsDigest: digestOf(args) },
    ...{ versionDigest, class: riskClass },
  };
  const key = await loadSealingKey(ctx.database.keyFolder);
  return Buffer.from(seal(key, purposeOf(ctx), JSON.stringify(asked))).toString("base64url");
}

/**
 * The question that a client answers. Throws -32602 for a state that was changed, is too old, was used, or belongs to another
 * token or to a call with another tool or other arguments.
 */
export async function openQuestion(
  ctx: Ctx,
  state: string,
  { name, args }: { name: string; args: unknown },
): Promise<Asked> {
  const key = await loadSealingKey(ctx.database.keyFolder);
  const sealed = Buffer.from(state, "base64url");
  // Decoding ignores what does not fit, so only the text that was given out is accepted.
  const text = sealed.toString("base64url") === state ? unseal(key, purposeOf(ctx), sealed) : null;
  const asked = text === null ? null : Asked.parse(JSON.parse(text));
  if (asked === null || asked.tool !== name || asked.argsDigest !== digestOf(args)) {
    throw new McpError(
      ErrorCode.InvalidParams,
      "params.requestState belongs to another call. Call the tool again without it.",
    );
  }
  const isUsed = (await ctx.db.agentStep.findUnique({ where: { id: asked.id }, select: { id: true } })) !== null;
  if (isUsed || asked.until <= ctx.now().getTime()) {
    const why = isUsed ? "was used already" : "is older than five minutes";
    throw new McpError(ErrorCode.InvalidParams, `params.requestState ${why}. Call the tool again without it.`);
  }
  return asked;
}

function purposeOf(ctx: Ctx): string {
  return `mcp-confirmation ${ownerKeyOf(ctx)}`;
}

function digestOf(args: unknown): string {
  return sha256Hex(canonicalJson(args));
}
