/** Limits on what may enter the store. Bytes unless the name says otherwise; each is the largest allowed value. */
export const MAX_PACKED_BYTES = 20 * 1024 * 1024;
export const MAX_UNPACKED_BYTES = 50 * 1024 * 1024;
export const MAX_FILE_BYTES = 5 * 1024 * 1024;
export const MAX_ARCHIVE_FILES = 5_000;
/** Files, folders and junk together. */
export const MAX_ARCHIVE_ENTRIES = 10_000;
export const MAX_SKILL_FILES = 500;

/** Unpacked bytes for each packed byte. Files up to the floor are exempt: a repetitive text of their size is no bomb. */
export const MAX_RATIO = 100;
export const RATIO_FLOOR_BYTES = 512 * 1024;

export const MAX_PATH_DEPTH = 10;
export const MAX_PATH_BYTES = 240;
export const MAX_SEGMENT_CHARS = 100;

export const MAX_FRONTMATTER_BYTES = 64 * 1024;
export const MAX_FRONTMATTER_KEYS = 200;
export const MAX_FRONTMATTER_DEPTH = 8;
export const MAX_SKILL_JSON_BYTES = 256 * 1024;

/** Larger texts are kept, and withheld from agents' text reads. */
export const MAX_AGENT_TEXT_BYTES = 256 * 1024;

export const MAX_NAME_CHARS = 64;
export const MAX_DESCRIPTION_CHARS = 1_024;
/** Of a label or an argument hint, as agents and clients get it. */
export const MAX_LABEL_CHARS = 200;
export const MAX_COMPATIBILITY_CHARS = 500;
/** Of a description taken from the body. */
export const MAX_INFERRED_CHARS = 200;

export const MAX_SCHEMA_BYTES = 64 * 1024;
export const MAX_SCHEMA_DEPTH = 32;
/** Objects and arrays in a schema. */
export const MAX_SCHEMA_NODES = 1_000;
/** Subschemas after every non-recursive `$ref` is replaced by what it points at. */
export const MAX_SCHEMA_EXPANSION = 10_000;
/** Paths through a recursive schema: places that recurse, to the power of the depth of the data. */
export const MAX_SCHEMA_PATHS = 100_000;
export const MAX_PATTERN_CHARS = 1_000;
/** Instructions of all compiled patterns of one schema together. */
export const MAX_PATTERN_INSTRUCTIONS = 100_000;

export const MAX_ARGS_BYTES = 256 * 1024;
export const MAX_ARGS_DEPTH = 32;
export const MAX_ARGS_NODES = 20_000;
export const MAX_UNIQUE_ITEMS = 1_000;
/** Work of one validation, in units of about a microsecond at worst. */
export const MAX_VALIDATION_WORK = 500_000;
