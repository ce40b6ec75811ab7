import { seal, unseal } from "@/lib/core/seal";
import { loadSealingKey } from "@/lib/core/sealing-key";
import type { Ctx } from "@/lib/db/context";

/** Seals a value for the credential of this id; it cannot be moved to another one. */
export async function sealCredential(ctx: Ctx, id: string, value: string): Promise<Uint8Array<ArrayBuffer>> {
  return seal(await loadSealingKey(ctx.database.keyFolder), boundTo(id), value);
}

/** The value, or null when the instance's key is another one than it was sealed with. */
export async function unsealCredential(ctx: Ctx, row: { id: string; sealed: Uint8Array }): Promise<string | null> {
  return unseal(await loadSealingKey(ctx.database.keyFolder), boundTo(row.id), row.sealed);
}

function boundTo(id: string): string {
  return `credential ${id}`;
}
