import { randomBytes } from "node:crypto";
import { recordEvent } from "@/lib/audit/record-event";
import { Scope } from "@/lib/core/actor";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { assertTokenAllowed } from "./assert-token-allowed";
import { describeToken, tokenInclude } from "./describe-token";
import { requireTokenKeeper } from "./require-token-keeper";
import type { CreatedToken, CreateTokenInput } from "./schema";
import { tokenExpiry } from "./token-expiry";

/** Makes an API token for the caller, or by an admin for somebody else. The secret is in this answer and nowhere else. */
export async function createToken(ctx: Ctx, input: CreateTokenInput): Promise<CreatedToken> {
  const actor = requireTokenKeeper(ctx.actor);
  const secret = `sgt_${randomBytes(32).toString("base64url")}`;
  const scopes = Scope.options.filter((scope) => input.scopes.includes(scope));
  return inTransaction(ctx, async (tx, txCtx) => {
    await assertTokenAllowed(txCtx, { actor, input });
    const row = await tx.apiToken.create({
      data: {
        id: newId(),
        userId: input.userId ?? actor.userId,
        createdBy: actor.userId,
        name: input.name,
        secretHash: sha256Hex(secret),
        scopes: JSON.stringify(scopes),
        personaId: input.persona ?? null,
        createdAt: ctx.now(),
        expiresAt: await tokenExpiry(txCtx, { actor, wanted: input.expiresAt }),
      },
      include: tokenInclude,
    });
    const whose = row.userId === actor.userId ? "" : ` for ${row.user.name}`;
    await recordEvent(tx, txCtx, {
      action: "token.create",
      summary: `made the token “${row.name}”${whose} with ${scopes.join(", ")}`,
      target: { kind: "token", id: row.id, name: row.name },
      data: { userId: row.userId, scopes, persona: row.persona?.name ?? null, expiresAt: row.expiresAt },
    });
    return { ...describeToken(row), token: secret };
  });
}
