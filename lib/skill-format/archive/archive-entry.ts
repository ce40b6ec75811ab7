/** What a reader found at a path that `safePath` has accepted. Content is complete and checked. */
export type ArchiveEntry =
  | { kind: "file"; path: string; mode: "644" | "755"; bytes: Uint8Array }
  /** `target` as written: relative to the link's folder, or to the archive's root for a hard link. */
  | { kind: "link"; path: string; target: string; from: "folder" | "root" }
  /** Something that is left out while the rest is read; `message` says why. */
  | { kind: "refused"; path: string; code: "link_refused" | "submodule_left_out"; message: string }
  | { kind: "folder"; path: string }
  | { kind: "junk"; path: string };
