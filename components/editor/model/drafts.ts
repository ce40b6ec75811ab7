import { z } from "zod";
import { FileMode } from "@/lib/skill-format/schema";

const DraftFile = z.object({
  path: z.string(),
  mode: FileMode,
  content: z.union([
    z.object({ kind: z.literal("text"), text: z.string() }),
    z.object({ kind: z.literal("bytes"), base64: z.string(), size: z.number() }),
    z.object({ kind: z.literal("stored"), sha256: z.string(), size: z.number(), isText: z.boolean() }),
  ]),
});

const Draft = z.object({
  v: z.literal(1),
  base: z.string(),
  /** Milliseconds since 1970. */
  savedAt: z.number(),
  open: z.string().nullable(),
  files: z.array(DraftFile).max(1000),
});
export type Draft = z.infer<typeof Draft>;

/** `skillId` is `new` for a skill that is not stored yet. */
export type DraftOwner = { userId: string; skillId: string };

const PREFIX = "skillgate.draft";
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

export type DraftStorage = Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">;

/**
 * Stores a draft in the browser, one per base version. When storage is full, evicts drafts older than 30 days. Returns
 * whether the draft is stored.
 */
export function keepDraft(storage: DraftStorage, owner: DraftOwner, draft: Draft): boolean {
  const key = keyOf(owner, draft.base);
  const text = JSON.stringify(draft);
  if (trySet(storage, key, text)) return true;
  dropOld(storage, draft.savedAt);
  if (trySet(storage, key, text)) return true;
  // An older state must not be restored as the newest.
  tryRemove(storage, key);
  return false;
}

/** The newest draft of this owner on any base version. Removes unreadable drafts. */
export function findDraft(storage: DraftStorage, owner: DraftOwner): Draft | null {
  const drafts = keysOf(storage, keyOf(owner, "")).flatMap((key) => read(storage, key) ?? []);
  return drafts.sort((a, b) => b.savedAt - a.savedAt)[0] ?? null;
}

export function dropDrafts(storage: DraftStorage, owner: DraftOwner): void {
  for (const key of keysOf(storage, keyOf(owner, ""))) tryRemove(storage, key);
}

function keyOf({ userId, skillId }: DraftOwner, base: string): string {
  return `${PREFIX}.${userId}.${skillId}.${base}`;
}

function keysOf(storage: DraftStorage, prefix: string): string[] {
  try {
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
    return keys.filter((key): key is string => key?.startsWith(prefix) ?? false);
  } catch {
    return []; // Private modes and policies may forbid storage.
  }
}

function read(storage: DraftStorage, key: string): Draft | null {
  try {
    return Draft.parse(JSON.parse(storage.getItem(key) ?? ""));
  } catch {
    // The draft was written by another release, or is truncated.
    tryRemove(storage, key);
    return null;
  }
}

function dropOld(storage: DraftStorage, now: number): void {
  for (const key of keysOf(storage, `${PREFIX}.`)) {
    const draft = read(storage, key);
    if (draft && now - draft.savedAt > MAX_AGE_MS) tryRemove(storage, key);
  }
}

function trySet(storage: DraftStorage, key: string, text: string): boolean {
  try {
    storage.setItem(key, text);
    return true;
  } catch {
    return false; // The storage is full or forbidden.
  }
}

function tryRemove(storage: DraftStorage, key: string): void {
  try {
    storage.removeItem(key);
  } catch {}
}

/** `localStorage`, or a storage that refuses every write where it is forbidden. */
export function draftStorage(): DraftStorage {
  try {
    return window.localStorage;
  } catch {
    const refuse = () => {
      throw new Error("storage is forbidden here");
    };
    return { length: 0, key: () => null, getItem: () => null, setItem: refuse, removeItem: () => {} };
  }
}
