import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Lease } from "../protocol";
import { RunFailure } from "../run/run-failure";
import type { SkillStore } from "../sandbox/open-store";
import { placeSkill, verifySkill } from "./place-skill";
import { removeRunDir } from "./run-dirs";

/**
 * The directory with a version's files, shared by its sandboxed runs, which mount it read-only. It is created once and
 * verified in full before each run; a changed one is removed. Throws RunFailure `digest_mismatch`.
 */
export async function shareSkill(
  { files, versionDigest }: Pick<Lease, "files" | "versionDigest">,
  skillsDir: string,
  loadBlob: (file: Lease["files"][number]) => Promise<Uint8Array>,
): Promise<string> {
  if (!/^[0-9a-f]{64}$/.test(versionDigest)) {
    throw new RunFailure("digest_mismatch", "The version's digest in the lease is not a SHA-256.");
  }
  const shared = join(skillsDir, versionDigest);
  if (!existsSync(shared)) await place(files, shared, loadBlob);
  try {
    verifySkill(shared, versionDigest);
    return shared;
  } catch (failure) {
    moveAway(shared);
    throw failure;
  }
}

/**
 * Like `shareSkill`, in a store whose files no other process of the host can change after their verification. When it is full,
 * versions that no run uses are removed. Call `leave` when the run is over.
 */
export async function storeSkill(
  lease: Pick<Lease, "files" | "versionDigest">,
  store: SkillStore,
  loadBlob: (file: Lease["files"][number]) => Promise<Uint8Array>,
): Promise<{ skillDir: string; leave: () => void }> {
  const { versionDigest } = lease;
  const { inUse } = store;
  const count = (change: number) => {
    const left = (inUse.get(versionDigest) ?? 0) + change;
    if (left > 0) inUse.set(versionDigest, left);
    else inUse.delete(versionDigest);
  };
  const share = () => shareSkill(lease, store.fileOf(store.dir), loadBlob);
  count(1);
  try {
    await share().catch((failure: NodeJS.ErrnoException) => {
      if (failure.code !== "ENOSPC") throw failure;
      evictUnused(store);
      return share();
    });
    return { skillDir: join(store.dir, versionDigest), leave: () => count(-1) };
  } catch (failure) {
    count(-1);
    const isFull = (failure as NodeJS.ErrnoException).code === "ENOSPC";
    if (!isFull) throw failure;
    const message = "There is no space for the skill’s files besides those of the executing runs.";
    throw new RunFailure("spawn_failed", message, { cause: failure });
  }
}

function evictUnused({ dir, fileOf, inUse }: SkillStore): void {
  for (const name of readdirSync(fileOf(dir))) {
    if (!inUse.has(name.slice(0, 64))) removeRunDir(join(fileOf(dir), name));
  }
}

/** Creates it under another name first, so that no run finds half a skill; a concurrent second copy is dropped. */
async function place(
  files: Lease["files"],
  shared: string,
  loadBlob: (file: Lease["files"][number]) => Promise<Uint8Array>,
): Promise<void> {
  const own = `${shared}.${randomBytes(6).toString("hex")}`;
  mkdirSync(own, { recursive: true, mode: 0o755 });
  try {
    await placeSkill(files, own, loadBlob);
    if (!existsSync(shared)) renameSync(own, shared);
  } finally {
    removeRunDir(own);
  }
}

/** Runs that have it mounted keep their files; the next run creates it again. */
function moveAway(shared: string): void {
  const away = `${shared}.${randomBytes(6).toString("hex")}`;
  renameSync(shared, away);
  removeRunDir(away);
}
