/** Limits for stored content, inclusive; in bytes unless the name says otherwise. */
export const MAX_PACKED_BYTES = 20 * 1024 * 1024;
export const MAX_UNPACKED_BYTES = 50 * 1024 * 1024;
export const MAX_FILE_BYTES = 5 * 1024 * 1024;
export const MAX_ARCHIVE_FILES = 5_000;
/** Files, folders and ignored entries together. */
export const MAX_ARCHIVE_ENTRIES = 10_000;
export const MAX_SKILL_FILES = 500;

/** Unpacked bytes per packed byte. Files up to the floor are exempt, because small repetitive texts are no bombs. */
export const MAX_RATIO = 100;
export const RATIO_FLOOR_BYTES = 512 * 1024;

export const MAX_PATH_DEPTH = 10;
export const MAX_PATH_BYTES = 240;
export const MAX_SEGMENT_CHARS = 100;

export const MAX_FRONTMATTER_BYTES = 64 * 1024;
export const MAX_FRONTMATTER_KEYS = 200;
export const MAX_FRONTMATTER_DEPTH = 8;
export const MAX_SKILL_JSON_BYTES = 256 * 1024;

/** Larger texts are stored but not offered to agents' text reads. */
export const MAX_AGENT_TEXT_BYTES = 256 * 1024;

export const MAX_NAME_CHARS = 64;
export const MAX_DESCRIPTION_CHARS = 1_024;
/** For labels and argument hints shown to agents and clients. */
export const MAX_LABEL_CHARS = 200;
export const MAX_COMPATIBILITY_CHARS = 500;
/** For descriptions taken from the body. */
export const MAX_INFERRED_CHARS = 200;

export const MAX_SCHEMA_BYTES = 64 * 1024;
export const MAX_SCHEMA_DEPTH = 32;
/** Objects and arrays in a schema. */
export const MAX_SCHEMA_NODES = 1_000;
/** Subschemas after replacing every non-recursive `$ref` by its target. */
export const MAX_SCHEMA_EXPANSION = 10_000;
/** Paths through a recursive schema: the number of recursive places to the power of the data's depth. */
export const MAX_SCHEMA_PATHS = 100_000;
export const MAX_PATTERN_CHARS = 1_000;
/** Compiled instructions of all patterns of one schema. */
export const MAX_PATTERN_INSTRUCTIONS = 100_000;

export const MAX_ARGS_BYTES = 256 * 1024;
export const MAX_ARGS_DEPTH = 32;
export const MAX_ARGS_NODES = 20_000;
export const MAX_UNIQUE_ITEMS = 1_000;
/** Work of one validation; a unit takes at most about a microsecond. */
export const MAX_VALIDATION_WORK = 500_000;
