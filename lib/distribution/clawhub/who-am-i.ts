import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { publisherOf } from "@/lib/skills/community/publishers";

const ROLES = { admin: "admin", reviewer: "moderator", user: "user" } as const;

/** `GET /api/v1/whoami`: the person of the token, with their publisher handle. */
export async function whoAmI(ctx: Ctx) {
  const { userId, name, role } = requireScope(ctx.actor, "read");
  const { handle } = await publisherOf(ctx, { ownerKey: userId });
  return { user: { handle, displayName: name, image: null, role: ROLES[role] } };
}
