import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import { getCollection } from "@/lib/skills/community/collections";
import { getPublisher } from "@/lib/skills/community/publisher-profiles";
import { publisherOf } from "@/lib/skills/community/publishers";

import { requireSkill } from "@/lib/skills/skill-access";
import { identifyViewer } from "./identify-viewer";
import { listPublished } from "./list-published";
import { nameMarketplace } from "./marketplace";
import type { Published } from "./published";
import type { Connection, ConnectQuery } from "./schema";
import { type DistributionScope, pathOfScope } from "./scope";

type Target = { scope: DistributionScope; shown: Omit<Connection["scope"], "path"> };

/** Returns the values for the commands that connect clients to this server or one of its scopes. */
export async function getConnection(ctx: Ctx, query: ConnectQuery): Promise<Connection> {
  requireScope(ctx.actor, "read");
  const { scope, shown } = await findTarget(ctx, query);
  const { marketplaceName } = await getSettings(ctx);
  const offered = await offeredIn((await identifyViewer(ctx, { scope })).ctx, scope);
  const toPublic = await offeredIn({ ...ctx, actor: { kind: "anonymous" } }, scope);
  const example = toPublic[0] ?? offered[0];
  return {
    url: getEnv().publicUrl,
    scope: { ...shown, path: pathOfScope(scope) },
    marketplace: nameMarketplace(marketplaceName, { scope, base: "" }),
    privateMarketplace: nameMarketplace(marketplaceName, { scope, base: "/t/token" }),
    instance: marketplaceName,
    example: example ? { name: example.name, publisher: example.publisher.handle } : null,
    skills: offered.length,
    publicSkills: toPublic.length,
  };
}

async function findTarget(ctx: Ctx, query: ConnectQuery): Promise<Target> {
  if (query.skill !== undefined) {
    const skill = await requireSkill(ctx, query.skill);
    const { handle } = await publisherOf(ctx, skill);
    return {
      scope: { kind: "skill", publisher: handle, name: skill.slug, version: null },
      shown: { kind: "skill", id: skill.id, label: skill.label ?? skill.name },
    };
  }
  if (query.publisher !== undefined) {
    const { handle, name } = await getPublisher(ctx, query.publisher);
    return { scope: { kind: "publisher", handle }, shown: { kind: "publisher", id: handle, label: name } };
  }
  if (query.collection !== undefined) {
    const { slug, title } = await getCollection(ctx, query.collection);
    return { scope: { kind: "collection", slug }, shown: { kind: "collection", id: slug, label: title } };
  }
  return { scope: { kind: "root" }, shown: { kind: "root", id: null, label: "Everything you see" } };
}

/** Skills offered to the viewer; empty where the endpoints answer 404 or 410. */
async function offeredIn(ctx: Ctx, scope: DistributionScope): Promise<readonly Published[]> {
  try {
    return await listPublished(ctx, scope);
  } catch (error) {
    if (error instanceof AppError && (error.status === 404 || error.status === 410)) return [];
    throw error;
  }
}
