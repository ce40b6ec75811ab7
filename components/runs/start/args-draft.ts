/** The arguments as form and as JSON text; switching views loses neither. */
export type ArgsDraft = {
  mode: "form" | "json";
  /** The last valid arguments. */
  value: Record<string, unknown>;
  editedIn: "form" | "json" | null;
  /** Text of the JSON editor; null while it equals `value`. */
  text: string | null;
  problem: string | null;
};

export type ArgsAction =
  | { type: "show"; mode: ArgsDraft["mode"] }
  | { type: "edit-form"; value: Record<string, unknown> }
  | { type: "edit-text"; text: string }
  /** Discards invalid text in favour of the form. */
  | { type: "drop-text" }
  | { type: "replace"; value: Record<string, unknown> };

export function startDraft(value: Record<string, unknown>): ArgsDraft {
  return { mode: "form", value, editedIn: null, text: null, problem: null };
}

export function changeDraft(draft: ArgsDraft, action: ArgsAction): ArgsDraft {
  switch (action.type) {
    case "show":
      // Valid text equals `value` and can be regenerated; invalid text stays.
      return { ...draft, mode: action.mode, text: draft.problem === null ? null : draft.text };
    case "edit-form":
      // The text follows the form, unless it is invalid and would be lost.
      return { ...draft, value: action.value, editedIn: "form", text: draft.problem === null ? null : draft.text };
    case "edit-text": {
      const read = readArgs(action.text);
      if ("problem" in read) return { ...draft, editedIn: "json", text: action.text, problem: read.problem };
      return { ...draft, editedIn: "json", text: action.text, value: read.value, problem: null };
    }
    case "drop-text":
      return { ...draft, text: null, problem: null };
    case "replace":
      return { ...startDraft(action.value), mode: draft.mode };
  }
}

export function textOf(draft: ArgsDraft): string {
  return draft.text ?? JSON.stringify(draft.value, null, 2);
}

export function readArgs(text: string): { value: Record<string, unknown> } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: describeSyntaxError(text, error) };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { problem: "Enter the arguments as a JSON object: { … }." };
  }
  return { value: value as Record<string, unknown> };
}

function describeSyntaxError(text: string, error: unknown): string {
  if (text.trim() === "") return "Enter the arguments as a JSON object: { … }.";
  const message = error instanceof Error ? error.message : "";
  const offset = /position (\d+)/.exec(message)?.[1];
  if (offset !== undefined) return `Line ${lineAt(text, Number(offset))}: invalid JSON.`;
  const line = /line (\d+)/.exec(message)?.[1];
  return line === undefined ? "Invalid JSON." : `Line ${line}: invalid JSON.`;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
