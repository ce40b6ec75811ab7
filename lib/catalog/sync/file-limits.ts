/** The largest SKILL.md, skill.json or other descriptive file that a sync reads, in bytes. */
export const MAX_READ_BYTES = 1024 * 1024;

/** Of packs and index files of a source. */
export const MAX_DECLARATION_BYTES = 1024 * 1024;

/**
 * What is read of a skill's folder to list it, strongest first: what makes it a skill, and the files of registries and
 * agents beside that. An exact `SKILL.md` goes before other letter cases of it.
 */
export const SIDECARS: readonly RegExp[] = [
  /^SKILL\.md$/,
  /^(?!SKILL\.md$)[sS][kK][iI][lL][lL]\.[mM][dD]$/,
  /^skill\.json$/,
  /^skill\.toml$/,
  /^optimized\.toml$/,
  /^_meta\.json$/,
  /^agents\/openai\.ya?ml$/,
];
