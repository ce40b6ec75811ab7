import type { ElicitRequestFormParams } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Confirmation } from "../call-skill-tool";

const MAX_SHOWN_CHARS = 4_000;
const CONFIRM = "skillgate/confirm";

const Answer = z.union([
  z.looseObject({ action: z.literal("accept"), content: z.looseObject({ confirm: z.boolean() }) }),
  z.looseObject({ action: z.enum(["decline", "cancel"]) }),
]);

const Elicitation = z.looseObject({ elicitation: z.record(z.string(), z.unknown()) });

/** Whether a client declares elicitation by forms; an empty object means forms (MCP, client/elicitation). */
export function canElicit(capabilities: unknown): boolean {
  const declared = Elicitation.safeParse(capabilities);
  if (!declared.success) return false;
  const { elicitation } = declared.data;
  return elicitation.form !== undefined || Object.keys(elicitation).length === 0;
}

const Meta = z.looseObject({ params: z.looseObject({ _meta: z.record(z.string(), z.unknown()) }) });

/** The `_meta` of a message’s parameters. */
export function metaOf(message: unknown): Record<string, unknown> | undefined {
  return Meta.safeParse(message).data?.params._meta;
}

/** Whether the client confirms by `"skillgate/confirm": true` in `_meta`, which programs set and models do not. */
export function isConfirmedIn(meta: Record<string, unknown> | undefined): boolean {
  return meta?.[CONFIRM] === true;
}

/** The form that asks a person to confirm a run: one checkbox. */
export function confirmationForm({ tool, reason, args }: Confirmation): ElicitRequestFormParams {
  const shown = JSON.stringify(args, null, 2);
  const cut = shown.length > MAX_SHOWN_CHARS ? `${shown.slice(0, MAX_SHOWN_CHARS)}…` : shown;
  return {
    mode: "form",
    message: `Run “${tool.title}”? ${reason.replace(/ Send confirm.*$/, "")}\n\nArguments:\n${cut}`,
    requestedSchema: {
      type: "object",
      properties: { confirm: { type: "boolean", title: "Run it now", default: false } },
      required: ["confirm"],
    },
  };
}

/** Whether a person confirmed: only by an accepted form with the box checked. Null for an answer that does not fit the form. */
export function readConfirmation(answer: unknown): boolean | null {
  const given = Answer.safeParse(answer).data;
  if (given === undefined) return null;
  return given.action === "accept" && given.content.confirm;
}
