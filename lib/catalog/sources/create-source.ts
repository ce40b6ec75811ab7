import { isIP } from "node:net";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { assertAllowed } from "@/lib/core/outgoing/server-features";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { destinationOfGit, readGitAddress } from "../git/git-address";
import { githubHosts } from "../github/hosts";
import { nextSyncAt, notifySyncQueued, requeueSync } from "../sync/queue-sync";
import { parseSourceAddress, type SourcePlace } from "./parse-source-address";
import type { CatalogSource, CreateSourceInput } from "./schema";
import { assertTakesCredential, sealCredential, storeCredential } from "./source-credential";
import { getSource } from "./sources";

/**
 * Adds a source without asking its host; the first sync, queued immediately with `sync`, reports a missing repository.
 * `invalid` for an address that is not one of a repository, `conflict` for an existing source.
 */
export async function createSource(ctx: Ctx, input: CreateSourceInput): Promise<CatalogSource> {
  const actor = requireScope(ctx.actor, "admin");
  const place = parseSourceAddress(input, githubHosts());
  await assertOpenAddress(place);
  const { credential = null } = input;
  if (credential !== null) assertTakesCredential(place);
  const id = newId();
  const sealed = credential === null ? null : await sealCredential(ctx, id, credential);
  const source = await inTransaction(ctx, async (tx, txCtx) => {
    await assertUnusedLocation(txCtx, place);
    const { label, enabled, intervalMinutes } = input;
    const now = ctx.now();
    const dueAt = nextSyncAt(input, now);
    const times = { createdAt: now, updatedAt: now, nextSyncAt: dueAt };
    const row = await tx.catalogSource.create({
      data: { id, label, enabled, intervalMinutes, ...place, ...times, createdBy: actor.userId },
    });
    if (sealed !== null) await storeCredential(tx, txCtx, id, sealed);
    if (input.sync) await requeueSync(tx, row.id, now);
    await recordEvent(tx, txCtx, {
      action: "catalog_source.create",
      summary: `added the catalog source ${label}`,
      target: { kind: "catalog_source", id: row.id, name: label },
      data: { ...place, enabled, intervalMinutes, hasCredential: sealed !== null },
    });
    return getSource(txCtx, row.id);
  });
  if (input.sync) notifySyncQueued();
  return source;
}

/** Throws `invalid` for an IP address that the catalog may not connect to; names are checked at each connection. */
export async function assertOpenAddress({ repoUrl }: Pick<SourcePlace, "repoUrl">): Promise<void> {
  const address = readGitAddress(repoUrl);
  if (address === null || isIP(address.host) === 0) return;
  await assertAllowed("catalog", destinationOfGit(address)).catch(({ message }: Error) => {
    throw new AppError("invalid", message, { errors: [{ path: "repoUrl", message }] });
  });
}

/** Throws `conflict` for a second source of the same folder and ref; names are compared without case, as on GitHub. */
export async function assertUnusedLocation(
  ctx: Ctx,
  place: Pick<SourcePlace, "owner" | "repo" | "ref" | "folder">,
  except?: string,
): Promise<void> {
  const others = await ctx.db.catalogSource.findMany({ where: { ref: place.ref, folder: place.folder } });
  const same = others.find(
    (other) =>
      other.id !== except &&
      `${other.owner}/${other.repo}`.toLowerCase() === `${place.owner}/${place.repo}`.toLowerCase(),
  );
  if (same) throw new AppError("conflict", `The source “${same.label}” already has this repository, ref and folder.`);
}
