import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { presentEndpoint } from "./present-endpoint";
import type { ModelChoices, ModelEndpointList } from "./schema";

/** Every model endpoint, by name. */
export async function listEndpoints(ctx: Ctx): Promise<ModelEndpointList> {
  requireScope(ctx.actor, "admin");
  const rows = await ctx.db.modelEndpoint.findMany({ orderBy: { name: "asc" } });
  return { items: rows.map(presentEndpoint) };
}

/** What a person may talk to; empty when no admin has set one. */
export async function listModelChoices(ctx: Ctx): Promise<ModelChoices> {
  requireScope(ctx.actor, "run");
  const rows = await ctx.db.modelEndpoint.findMany({ where: { enabled: true }, orderBy: { name: "asc" } });
  return { items: rows.map(presentEndpoint).map(({ id, name, kind, models }) => ({ id, name, kind, models })) };
}
