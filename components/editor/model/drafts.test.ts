import { describe, expect, it } from "vitest";
import type { BaseVersion } from "@/lib/client/editing";
import { type Draft, type DraftStorage, dropDrafts, findDraft, keepDraft } from "./drafts";
import { fromBase } from "./editor-file";
import { fromDraft, initialState, reduceEditor, toDraft } from "./editor-state";

const DAY = 24 * 60 * 60 * 1000;
const owner = { userId: "u", skillId: "s" };
const draft = (base: string, savedAt: number, text = "words"): Draft => ({
  v: 1,
  base,
  savedAt,
  open: "SKILL.md",
  files: [{ path: "SKILL.md", mode: "644", content: { kind: "text", text } }],
});

/** A storage with a limit in characters. */
function storageOf(limit = 10_000): DraftStorage & { items: Map<string, string> } {
  const items = new Map<string, string>();
  const used = () => [...items.values()].reduce((sum, value) => sum + value.length, 0);
  return {
    items,
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => {
      if (used() - (items.get(key)?.length ?? 0) + value.length > limit) throw new DOMException("full");
      items.set(key, value);
    },
    removeItem: (key) => items.delete(key),
  };
}

describe("drafts", () => {
  it("gives back the newest of this work, and nothing of other people and skills", () => {
    const storage = storageOf();
    keepDraft(storage, owner, draft("d1", 1));
    keepDraft(storage, owner, draft("d2", 2, "newer"));
    keepDraft(storage, { ...owner, userId: "other" }, draft("d3", 3));
    keepDraft(storage, { ...owner, skillId: "new" }, draft("", 4));
    expect(findDraft(storage, owner)).toMatchObject({ base: "d2", files: [{ content: { text: "newer" } }] });
    dropDrafts(storage, owner);
    expect(findDraft(storage, owner)).toBeNull();
    expect(storage.items.size).toBe(2);
  });

  it("drops what it cannot read", () => {
    const storage = storageOf();
    storage.setItem("skillgate.draft.u.s.d1", "{not json");
    storage.setItem("skillgate.draft.u.s.d2", JSON.stringify({ v: 2 }));
    expect(findDraft(storage, owner)).toBeNull();
    expect(storage.items.size).toBe(0);
  });

  it("evicts drafts older than a month, never newer ones", () => {
    const storage = storageOf(700);
    keepDraft(storage, { ...owner, skillId: "old" }, draft("o", 0, "x".repeat(200)));
    keepDraft(storage, { ...owner, skillId: "young" }, draft("y", 20 * DAY));
    expect(keepDraft(storage, owner, draft("d", 31 * DAY, "x".repeat(300)))).toBe(true);
    expect(findDraft(storage, { ...owner, skillId: "old" })).toBeNull();
    expect(findDraft(storage, { ...owner, skillId: "young" })).not.toBeNull();
  });

  it("says that it is too large, and leaves no older state of the same work behind", () => {
    const storage = storageOf(500);
    expect(keepDraft(storage, owner, draft("d", 1))).toBe(true);
    expect(keepDraft(storage, owner, draft("d", 2, "x".repeat(900)))).toBe(false);
    expect(findDraft(storage, owner)).toBeNull();
  });

  it("says no where storage is forbidden", () => {
    const refuse = () => {
      throw new DOMException("forbidden");
    };
    const storage = { length: 0, key: refuse, getItem: refuse, setItem: refuse, removeItem: refuse };
    expect(keepDraft(storage, owner, draft("d", 1))).toBe(false);
    expect(findDraft({ ...storage, length: 3 }, owner)).toBeNull();
  });
});

describe("the state of an edit in a draft", () => {
  const base: BaseVersion = {
    digest: "d1",
    number: 1,
    state: "draft",
    createdAt: "2026-01-01T00:00:00.000Z",
    createdBy: { id: "u", name: "Ada" },
    files: [
      { path: "SKILL.md", mode: "644", sha256: "h1", size: 3, isText: true, text: "one" },
      { path: "logo.png", mode: "644", sha256: "h2", size: 9, isText: false, text: null },
    ],
  };

  it("stores only what the server lacks, and restores the edit", () => {
    let state = initialState(base, base.files.map(fromBase));
    state = reduceEditor(state, {
      type: "put",
      file: { path: "a.md", mode: "755", content: { kind: "text", text: "A" } },
    });
    state = reduceEditor(state, { type: "rename", path: "logo.png", to: "icon.png" });
    const kept = toDraft(state, 5);
    expect(kept.files.map(({ content }) => content.kind)).toEqual(["stored", "stored", "text"]);
    expect(JSON.stringify(kept)).not.toContain('"one"');
    expect(fromDraft(kept, base)).toEqual(state);
  });

  it("does not put a file over another one by renaming or undoing", () => {
    const state = initialState(base, base.files.map(fromBase));
    expect(reduceEditor(state, { type: "rename", path: "logo.png", to: "SKILL.md" })).toBe(state);
    const file = { path: "SKILL.md", mode: "644", content: { kind: "text", text: "older" } } as const;
    expect(reduceEditor(state, { type: "restore-file", file })).toBe(state);
  });

  it("opens what says what the skill is when the open file goes", () => {
    const state = { ...initialState(base, base.files.map(fromBase)), open: "logo.png" };
    expect(reduceEditor(state, { type: "remove", path: "logo.png" }).open).toBe("SKILL.md");
  });
});
