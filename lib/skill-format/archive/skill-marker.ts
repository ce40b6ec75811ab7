const MARKER = /^(?:[sS][kK][iI][lL][lL]\.[mM][dD]|skill\.json|skill\.toml)$/;

/** Whether a file makes its folder a skill: `SKILL.md` in any letter case, `skill.json` or `skill.toml`. */
export function isSkillMarker(path: string): boolean {
  return MARKER.test(path.slice(path.lastIndexOf("/") + 1));
}
