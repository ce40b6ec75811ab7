import { editField } from "./frontmatter/edit-field";
import { draftStorage, dropDrafts, keepDraft } from "./model/drafts";
import { initialState, toDraft } from "./model/editor-state";
import { playbookText } from "./model/templates";

type Begun = { name: string; description: string; body: string; allowedTools: readonly string[] };

/** Stores the entered fields as the draft that the new-skill editor opens; empty fields keep the stored draft. */
export function storeNewSkillDraft(userId: string, { allowedTools, ...typed }: Begun): void {
  const hasWords = Object.values(typed).some((text) => text.trim() !== "");
  if (!hasWords && allowedTools.length === 0) return;
  const plain = playbookText({ ...typed, body: typed.body || "# Title\n" });
  const text = (allowedTools.length > 0 ? editField(plain, "allowed-tools", allowedTools) : plain) ?? plain;
  const owner = { userId, skillId: "new" };
  const state = initialState(null, [{ path: "SKILL.md", mode: "644", content: { kind: "text", text } }]);
  dropDrafts(draftStorage(), owner);
  keepDraft(draftStorage(), owner, toDraft(state, Date.now()));
}
