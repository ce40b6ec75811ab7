import PQueue from "p-queue";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { GitHubClient, RepoName } from "../github/create-client";
import { assertGitSha } from "../github/git-blob";

export type WantedBlob = { sha: string; path: string };
type Place = { name: RepoName; commit: string; isPrivate: boolean };

const CONCURRENCY = 8;
const CHUNK = 400;

/** Blobs that are not stored yet, each sha once. */
export async function missingBlobs(ctx: Ctx, wanted: WantedBlob[]): Promise<WantedBlob[]> {
  const unique = new Map(wanted.map((blob) => [blob.sha, blob]));
  const shas = [...unique.keys()];
  for (let start = 0; start < shas.length; start += CHUNK) {
    const where = { gitSha: { in: shas.slice(start, start + CHUNK) } };
    for (const { gitSha } of await ctx.db.catalogBlob.findMany({ where, select: { gitSha: true } }))
      unique.delete(gitSha);
  }
  return [...unique.values()];
}

/** Bytes of stored blobs by sha; missing blobs are omitted. */
export async function loadBlobs(ctx: Ctx, shas: string[]): Promise<Map<string, Uint8Array>> {
  const loaded = new Map<string, Uint8Array>();
  for (let start = 0; start < shas.length; start += CHUNK) {
    const rows = await ctx.db.catalogBlob.findMany({ where: { gitSha: { in: shas.slice(start, start + CHUNK) } } });
    for (const row of rows) loaded.set(row.gitSha, row.bytes);
  }
  return loaded;
}

/** Reads blobs concurrently, checks their shas, and stores them, also those read before a failure. */
export async function readBlobs(
  ctx: Ctx,
  client: GitHubClient,
  place: Place,
  blobs: WantedBlob[],
  onStored: (count: number) => Promise<void>,
): Promise<void> {
  const queue = new PQueue({ concurrency: CONCURRENCY });
  const read: { sha: string; bytes: Uint8Array }[] = [];
  let failure: unknown = null;
  const store = async () => {
    const batch = read.splice(0);
    if (batch.length === 0) return;
    await storeBlobs(ctx, batch);
    await onStored(batch.length);
  };
  const readOne = async (blob: WantedBlob) => {
    if (failure !== null) return;
    try {
      const bytes = await client.raw({ ...place.name, ...place, path: blob.path });
      assertGitSha(bytes, blob, place.commit, "tree");
      read.push({ sha: blob.sha, bytes });
    } catch (error) {
      failure ??= error;
    }
  };
  for (let start = 0; start < blobs.length && failure === null; start += CONCURRENCY * 4) {
    const some = blobs.slice(start, start + CONCURRENCY * 4);
    await queue.addAll(some.map((blob) => () => readOne(blob)));
    await store();
  }
  if (failure !== null) throw failure;
}

/** Skips blobs that another sync stored in the meantime. */
async function storeBlobs(ctx: Ctx, batch: { sha: string; bytes: Uint8Array }[]): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const where = { gitSha: { in: batch.map((blob) => blob.sha) } };
    const rows = await tx.catalogBlob.findMany({ where, select: { gitSha: true } });
    const stored = new Set(rows.map((row) => row.gitSha));
    const data = batch
      .filter((blob) => !stored.has(blob.sha))
      .map(({ sha, bytes }) => ({
        gitSha: sha,
        size: bytes.length,
        bytes: new Uint8Array(bytes),
        createdAt: ctx.now(),
      }));
    await tx.catalogBlob.createMany({ data });
  });
}
