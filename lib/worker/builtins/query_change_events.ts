import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata, cutText } from "./kit/builtin";

const schema = () =>
  z.strictObject({
    window_minutes: z
      .int()
      .min(1)
      .max(43_200)
      .default(1440)
      .describe("Time range: only events of this many last minutes."),
    action: z
      .string()
      .regex(/^[a-z_]+(\.[a-z_]+)?$/)
      .optional()
      .describe("Only this action, such as version.approve, or all actions on a kind of object, such as version."),
    target: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("Only events about a skill, run or other target whose name contains this text."),
    actor: z.string().min(1).max(200).optional().describe("Only events of actors whose name contains this text."),
    limit: z.int().min(1).max(200).default(50).describe("Maximum number of events, newest first."),
  });

export const metadata: BuiltinMetadata = {
  name: "query_change_events",
  label: "Query changes",
  description:
    "List what changed on this instance in a window: skills, approvals, runs, workers, settings, as far as you may see the audit.",
  class: "safe",
  scope: "manager",
  category: "fleet",
  schema,
  resultPreview: "events with time, actor, action, outcome, target and a sentence",
  context: "changes",
};

type Change = { at: string; actor: string; action: string; outcome: string; target: string | null; summary: string };

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const given = io.context as { windowMinutes: number; at: string; events: Change[]; truncated: boolean } | null;
  if (!Array.isArray(given?.events)) throw new BuiltinError("The server gave this run no list of changes.");
  const has = (text: string | null, part: string | undefined) =>
    part === undefined || (text ?? "").toLowerCase().includes(part.toLowerCase());
  const found = given.events.filter(
    (event) =>
      (args.action === undefined || event.action === args.action || event.action.startsWith(`${args.action}.`)) &&
      has(event.target, args.target) &&
      has(event.actor, args.actor),
  );
  const events = found.slice(0, args.limit).map((event) => ({ ...event, summary: cutText(event.summary, 500) }));
  return {
    at: given.at,
    windowMinutes: given.windowMinutes,
    total: found.length,
    events,
    truncated: given.truncated || found.length > events.length,
  };
}
