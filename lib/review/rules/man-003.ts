import { MAX_DESCRIPTION_CHARS } from "@/lib/skill-format/archive/limits";
import { isSkillMarker } from "@/lib/skill-format/archive/skill-marker";
import { parseFrontmatter } from "@/lib/skill-format/frontmatter/parse-frontmatter";
import type { Hit, Rule } from "../scan/rule";

const MAX_FILES = 100;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const formatViolation: Rule = {
  id: "MAN-003",
  version: 1,
  severity: "medium",
  title: "Not as the format asks",
  why: "Programs read such a skill differently, so what one of them shows is not what another one runs.",
  owasp: ["ASI04"],
  decoded: false,
  checkSkill: ({ files }) => {
    const hits: Hit[] = [];
    const manifest = files.find(({ path }) => path.toLowerCase() === "skill.md");
    if (manifest !== undefined) hits.push(...checkText(manifest.text).map((hit) => ({ ...hit, path: manifest.path })));
    else if (!files.some(({ path }) => isSkillMarker(path))) hits.push({ text: "There is no SKILL.md." });
    if (files.length > MAX_FILES)
      hits.push({ text: `${files.length} files; a reviewer cannot read more than ${MAX_FILES}.` });
    return hits;
  },
};

function checkText(text: string): Hit[] {
  const { mapping, stage } = parseFrontmatter(text, "SKILL.md");
  if (mapping === null || stage === "none") return [{ text: "The frontmatter cannot be read." }];
  const name = mapping.values.name;
  const description = mapping.values.description;
  const hits: Hit[] = [];
  if (typeof name !== "string" || name === "") hits.push({ text: "There is no name." });
  else if (!NAME.test(name) || name.length > 64) hits.push({ text: `name: ${name}`, severity: "info" });
  if (typeof description !== "string" || description.trim() === "") hits.push({ text: "There is no description." });
  else if (description.length > MAX_DESCRIPTION_CHARS)
    hits.push({ text: `The description has ${description.length} characters.`, severity: "info" });
  return hits;
}
