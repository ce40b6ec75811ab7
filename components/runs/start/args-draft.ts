/** The arguments being written, as a form and as text. What is written is never lost by looking at the other one. */
export type ArgsDraft = {
  /** What is shown where there is room for one alone. */
  mode: "form" | "json";
  /** The last arguments that could be read. */
  value: Record<string, unknown>;
  /** Where the last change was made. */
  editedIn: "form" | "json" | null;
  /** What stands in the JSON editor; null while it is just `value` written out. */
  text: string | null;
  /** Why `text` cannot be read as arguments. */
  problem: string | null;
};

export type ArgsAction =
  | { type: "show"; mode: ArgsDraft["mode"] }
  | { type: "edit-form"; value: Record<string, unknown> }
  | { type: "edit-text"; text: string }
  /** Drops text that cannot be read, in favour of the form. */
  | { type: "drop-text" }
  | { type: "replace"; value: Record<string, unknown> };

export function startDraft(value: Record<string, unknown>): ArgsDraft {
  return { mode: "form", value, editedIn: null, text: null, problem: null };
}

export function changeDraft(draft: ArgsDraft, action: ArgsAction): ArgsDraft {
  switch (action.type) {
    case "show":
      // Text that reads well says the same as `value`, so it may be written anew; broken text stays.
      return { ...draft, mode: action.mode, text: draft.problem === null ? null : draft.text };
    case "edit-form":
      // Beside the form the text follows it, unless there is something in it that would be lost.
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
    return { problem: "The arguments must be an object: { … }." };
  }
  return { value: value as Record<string, unknown> };
}

function describeSyntaxError(text: string, error: unknown): string {
  if (text.trim() === "") return "Write the arguments as an object: { … }.";
  const message = error instanceof Error ? error.message : "";
  const offset = /position (\d+)/.exec(message)?.[1];
  if (offset !== undefined) return `Line ${lineAt(text, Number(offset))} is not valid JSON.`;
  const line = /line (\d+)/.exec(message)?.[1];
  return line === undefined ? "This is not valid JSON yet." : `Line ${line} is not valid JSON.`;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
