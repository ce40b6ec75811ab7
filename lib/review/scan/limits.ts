/** Texts are matched in overlapping windows of this many characters, and matching windows in smaller chunks. */
export const WINDOW_CHARS = 64 * 1024;
export const CHUNK_CHARS = 2 * 1024;
/** The longest match that is found at any position. */
export const OVERLAP_CHARS = 1024;

/** Characters of matching chunks that one rule examines per view of a file. More is reported as a finding. */
export const MAX_CLOSE_CHARS = 40 * 1024;

/** Per rule and file; further matches are only counted. */
export const MAX_HITS = 10;
export const MAX_CHECKED = 2_000;
export const MAX_SHOWN_CHARS = 300;

/** Characters of all decoded views of one file, and levels of decoding. */
export const MAX_DECODED_CHARS = 2 * 1024 * 1024;
export const MAX_DECODE_DEPTH = 3;

/** Characters. Longer texts are cut, which is reported as a finding. */
export const MAX_TEXT_CHARS = 5 * 1024 * 1024;

/** Milliseconds in the thread; checked before each rule. */
export const FILE_BUDGET_MS = 8_000;
export const SKILL_BUDGET_MS = 25_000;
/** Milliseconds until the server terminates the thread. */
export const KILL_AFTER_MS = 40_000;
export const THREAD_HEAP_MB = 768;
