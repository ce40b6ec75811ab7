/** Texts are matched in overlapping windows of this many characters, and matching windows in smaller chunks. */
export const WINDOW_CHARS = 64 * 1024;
export const CHUNK_CHARS = 2 * 1024;
/** The longest match that is found at any position. */
export const OVERLAP_CHARS = 1024;

/** Characters of matching chunks that one rule examines per view of a file. More is reported as a finding. */
export const MAX_CLOSE_CHARS = 40 * 1024;

/** Per rule and file; further matches are only counted. */
export const MAX_HITS = 10;
/** Lines with findings of one rule and severity in a file that are counted. */
export const MAX_CHECKED = 2_000;
export const MAX_SHOWN_CHARS = 300;

/** Characters of all decoded views of one file, and levels of decoding. */
export const MAX_DECODED_CHARS = 2 * 1024 * 1024;
export const MAX_DECODE_DEPTH = 3;

/** Characters. Longer texts are cut, which is reported as a finding. */
export const MAX_TEXT_CHARS = 5 * 1024 * 1024;

/**
 * Characters that patterns are tried on, in one file and in one skill, summed over all rules. Unlike time, they are the
 * same on a busy machine.
 */
export const FILE_WORK_CHARS = 24 * 1024 * 1024;
export const SKILL_WORK_CHARS = 96 * 1024 * 1024;
/** Characters of scripts and pages in one skill whose values are followed. */
export const MAX_FOLLOWED_CHARS = 4 * 1024 * 1024;
/** Equal findings of one rule in a skill that are listed one by one; more become one with a count. */
export const MAX_EQUAL = 10;
/** Milliseconds until the server terminates a thread that hangs. The work above takes a tenth of it. */
export const KILL_AFTER_MS = 180_000;
export const THREAD_HEAP_MB = 768;
