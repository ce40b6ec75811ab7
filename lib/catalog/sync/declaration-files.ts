export const MARKETPLACE_FILES = [
  ".claude-plugin/marketplace.json",
  ".agents/plugins/marketplace.json",
  ".cursor-plugin/marketplace.json",
];
export const GROUPS_FILE = "skills.sh.json";
export const INDEX_FILE = "skillgate-index.json";
export const DECLARATION_FILES = [...MARKETPLACE_FILES, GROUPS_FILE, INDEX_FILE];
