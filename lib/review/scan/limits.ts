/** Text is matched in windows of so many characters, each overlapping the next, and a window that matches in smaller chunks. */
export const WINDOW_CHARS = 64 * 1024;
export const CHUNK_CHARS = 2 * 1024;
/** What a match may span at most and still be found wherever it stands. */
export const OVERLAP_CHARS = 1024;

/** Characters of matching chunks that one rule may look at closely, in one view of one file. Beyond is a finding. */
export const MAX_CLOSE_CHARS = 40 * 1024;

/** Of one rule in one file; the rest is counted. */
export const MAX_HITS = 10;
/** What a check function looks at of a text made of nothing else than what it looks for. */
export const MAX_CHECKED = 2_000;
export const MAX_SHOWN_CHARS = 300;

/** Decoded views of one file together, in characters, and how often what was decoded is decoded again. */
export const MAX_DECODED_CHARS = 2 * 1024 * 1024;
export const MAX_DECODE_DEPTH = 3;

/** Longer texts are scanned up to here, which is a finding. Characters. */
export const MAX_TEXT_CHARS = 5 * 1024 * 1024;

/** Milliseconds in the thread; checked before each rule. */
export const FILE_BUDGET_MS = 8_000;
export const SKILL_BUDGET_MS = 25_000;
/** After which the thread is ended from outside, whatever it does. */
export const KILL_AFTER_MS = 40_000;
/** Memory of the thread. */
export const THREAD_HEAP_MB = 768;
