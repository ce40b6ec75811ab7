import type { BaseFile, BaseVersion } from "@/lib/client/editing";
import type { Draft } from "./drafts";
import { type EditorFile, type FileContent, fromBase, keptHash } from "./editor-file";

export type EditorState = {
  base: BaseVersion | null;
  files: EditorFile[];
  open: string | null;
};

type EditorAction =
  | { type: "open"; path: string }
  | { type: "write"; path: string; text: string }
  | { type: "set-mode"; path: string; mode: EditorFile["mode"] }
  | { type: "put"; file: EditorFile }
  /** Restores a removed file, unless its path is taken. */
  | { type: "restore-file"; file: EditorFile }
  | { type: "rename"; path: string; to: string }
  | { type: "remove"; path: string }
  /** A stored text was fetched; this is no edit. */
  | { type: "loaded"; sha256: string; text: string }
  | { type: "rebase"; base: BaseVersion; files: EditorFile[] }
  | { type: "saved"; base: BaseVersion; sent: EditorFile[] }
  | { type: "restore"; state: EditorState };

export function initialState(base: BaseVersion | null, files: EditorFile[], open?: string | null): EditorState {
  const wanted = files.some(({ path }) => path === open) ? (open ?? null) : null;
  return { base, files, open: wanted ?? mainPath(files) };
}

export function mainPath(files: readonly EditorFile[]): string | null {
  const mains = ["SKILL.md", "skill.json", "skill.toml"];
  return mains.find((main) => files.some(({ path }) => path === main)) ?? files[0]?.path ?? null;
}

export function reduceEditor(state: EditorState, action: EditorAction): EditorState {
  const { base, files, open } = state;
  const change = (path: string, to: (file: EditorFile) => EditorFile) =>
    files.map((file) => (file.path === path ? to(file) : file));
  switch (action.type) {
    case "open":
      return { ...state, open: action.path };
    case "write": {
      const content: FileContent = { kind: "text", text: action.text };
      return { ...state, files: change(action.path, (file) => ({ ...file, content })) };
    }
    case "set-mode":
      return { ...state, files: change(action.path, (file) => ({ ...file, mode: action.mode })) };
    case "put": {
      const others = files.filter(({ path }) => path !== action.file.path);
      return { ...state, files: [...others, action.file], open: action.file.path };
    }
    case "restore-file":
      return isTaken(files, action.file.path) ? state : reduceEditor(state, { type: "put", file: action.file });
    case "rename": {
      if (isTaken(files, action.to)) return state;
      const renamed = change(action.path, (file) => ({ ...file, path: action.to }));
      return { ...state, files: renamed, open: open === action.path ? action.to : open };
    }
    case "remove": {
      const left = files.filter(({ path }) => path !== action.path);
      return { ...state, files: left, open: open === action.path ? mainPath(left) : open };
    }
    case "loaded": {
      const { sha256, text } = action;
      const isIt = (content: FileContent) => content.kind === "stored" && content.sha256 === sha256;
      return {
        ...state,
        base: base && withText(base, sha256, text),
        files: files.map((file) => (isIt(file.content) ? { ...file, content: { kind: "text", text } } : file)),
      };
    }
    case "rebase":
      return initialState(action.base, action.files, open);
    case "saved":
      return { ...state, base: withSentTexts(action.base, action.sent) };
    case "restore":
      return action.state;
  }
}

function isTaken(files: readonly EditorFile[], path: string): boolean {
  return files.some((file) => file.path === path);
}

function withText(base: BaseVersion, sha256: string, text: string): BaseVersion {
  return { ...base, files: base.files.map((file) => (file.sha256 === sha256 ? { ...file, text } : file)) };
}

function withSentTexts(base: BaseVersion, sent: readonly EditorFile[]): BaseVersion {
  const texts = new Map(sent.flatMap(({ path, content }) => (content.kind === "text" ? [[path, content.text]] : [])));
  return { ...base, files: base.files.map((file) => ({ ...file, text: texts.get(file.path) ?? file.text })) };
}

/** The draft to store in the browser; stored bytes are referenced by hash. */
export function toDraft({ base, files, open }: EditorState, now: number): Draft {
  const stored: readonly BaseFile[] = base?.files ?? [];
  return {
    v: 1,
    base: base?.digest ?? "",
    savedAt: now,
    open,
    files: files.map(({ path, mode, content }) => {
      const sha256 = keptHash(content, stored);
      const before = stored.find((file) => file.sha256 === sha256);
      if (sha256 === null || !before) return { path, mode, content };
      return { path, mode, content: { kind: "stored", sha256, size: before.size, isText: before.isText } };
    }),
  };
}

export function fromDraft(draft: Draft, base: BaseVersion | null): EditorState {
  const files = draft.files.map(({ path, mode, content }): EditorFile => {
    const before = content.kind === "stored" ? base?.files.find((file) => file.sha256 === content.sha256) : undefined;
    return { path, mode, content: before ? fromBase(before).content : content };
  });
  return initialState(base, files, draft.open);
}
