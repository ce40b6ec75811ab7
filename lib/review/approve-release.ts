import type { Ctx } from "@/lib/db/context";
import { findReleased } from "@/lib/skills/standing/release-manifest";
import { approveInName } from "./approve-in-name";

/** No person's id. */
const RELEASE = "release" as const;

/**
 * Approves a waiting version that is a built-in of this server's own release, byte for byte, in the release's name: with
 * the class and the grants of its manifest, signed, audited and revocable like any other approval. Bytes that somebody
 * revoked or rejected stay refused. Answers whether it did.
 */
export async function approveRelease(ctx: Ctx, skillId: string, digest: string): Promise<boolean> {
  const builtin = await findReleased(digest);
  if (builtin === null) return false;
  return approveInName(ctx, {
    skillId,
    digest,
    signer: { userId: RELEASE, name: `Skillgate ${builtin.release}` },
    comment: "A built-in of this release.",
    class: builtin.class,
    grants: builtin.grants,
  });
}
