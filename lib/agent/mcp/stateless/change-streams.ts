import { z } from "zod";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { canElicit, isConfirmedIn } from "../confirm-run";
import { readMessage } from "../mcp-methods";
import { ownerKeyOf, type Watched } from "../mcp-sessions";
import { isSkillUri } from "../skill-uri";
import { type Change, hashLists, watchResource } from "../watched-lists";
import type { Envelope } from "./read-envelope";
import { openEventStream, resultOf } from "./write-answer";

const MAX_PER_OWNER = 100;
const MAX_STREAMS = 1000;
const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

const LISTS = {
  toolsListChanged: "notifications/tools/list_changed",
  promptsListChanged: "notifications/prompts/list_changed",
  resourcesListChanged: "notifications/resources/list_changed",
} as const;

const Filter = z.object({
  toolsListChanged: z.boolean().optional(),
  promptsListChanged: z.boolean().optional(),
  resourcesListChanged: z.boolean().optional(),
  resourceSubscriptions: z.array(z.string().max(2000)).max(100).optional(),
});
const ListenRequest = z.object({
  method: z.literal("subscriptions/listen"),
  params: z.looseObject({ notifications: Filter }),
});

/** A client that listens by `subscriptions/listen`. */
export type ChangeStream = Watched & {
  ownerKey: string;
  actor: PersonActor;
  database: Ctx["database"];
  needsCheck: boolean;
  /** Sends a change if the client asked for its kind. */
  notify(change: Change): void;
  /** Says that the subscription has ended, and closes the stream. */
  end(): void;
};

export function openStreams(): Set<ChangeStream> {
  return processStore("mcp-streams", () => new Set<ChangeStream>());
}

/**
 * Opens the stream of one `subscriptions/listen` request (basic/patterns/subscriptions): its first message says what the
 * client will be told, each further one is a change. At most 100 streams for a token and 1,000 in all (`rate_limited`).
 */
export async function listenToChanges(
  ctx: Ctx,
  { id, method, params, meta }: Envelope,
  gone: AbortSignal,
): Promise<Response> {
  const { notifications: wanted } = readMessage(ListenRequest, method, { method, params }).params;
  const ownerKey = ownerKeyOf(ctx);
  assertFree(ownerKey);
  const watched: Watched = {
    canConfirm: canElicit(meta.capabilities) || isConfirmedIn(meta.all),
    listHashes: { tools: "", resources: "", prompts: "" },
    resources: new Map(),
  };
  for (const uri of wanted.resourceSubscriptions ?? []) {
    if (isSkillUri(uri)) await watchResource(ctx, watched, uri);
  }
  watched.listHashes = await hashLists(ctx, watched);
  const lists = Object.entries(LISTS).filter(([key]) => wanted[key as keyof typeof LISTS] === true);
  const kinds = new Set<string>(["notifications/resources/updated", ...lists.map(([, kind]) => kind)]);
  const agreed = {
    ...Object.fromEntries(lists.map(([key]) => [key, true])),
    ...(watched.resources.size === 0 ? {} : { resourceSubscriptions: [...watched.resources.keys()] }),
  };

  const streams = openStreams();
  const forget = () => streams.delete(stream);
  const events = openEventStream(forget);
  const tagged = (change: { method: string; params?: object }) =>
    events.send({ jsonrpc: "2.0", method: change.method, params: { ...change.params, _meta: { [SUBSCRIPTION]: id } } });
  const stream: ChangeStream = {
    ...watched,
    ...{ ownerKey, actor: requireScope(ctx.actor, "read"), database: ctx.database, needsCheck: true },
    notify: (change) => {
      if (kinds.has(change.method)) tagged(change);
    },
    end: () => {
      forget();
      events.send(resultOf(id, method, { _meta: { [SUBSCRIPTION]: id } }));
      events.end();
    },
  };
  gone.addEventListener("abort", forget);
  if (!gone.aborted) streams.add(stream);
  tagged({ method: "notifications/subscriptions/acknowledged", params: { notifications: agreed } });
  return events.response;
}

function assertFree(ownerKey: string): void {
  const all = [...openStreams()];
  const own = all.filter((stream) => stream.ownerKey === ownerKey).length;
  if (own < MAX_PER_OWNER && all.length < MAX_STREAMS) return;
  const message = `${own < MAX_PER_OWNER ? all.length : own} subscriptions are open. Close one first.`;
  throw new AppError("rate_limited", message, { retryAfterSeconds: 60 });
}
