export type AvailableSkill = { name: string; description: string; location: string };

/** The list of skills for a prompt, as the reference library of agentskills.io writes it (`skills-ref to-prompt`). */
export function writeAvailableSkills(skills: readonly AvailableSkill[]): string {
  const lines = skills.flatMap(({ name, description, location }) => [
    "<skill>",
    ...["<name>", escapeHtml(name), "</name>"],
    ...["<description>", escapeHtml(description), "</description>"],
    ...["<location>", escapeHtml(location), "</location>"],
    "</skill>",
  ]);
  return ["<available_skills>", ...lines, "</available_skills>"].join("\n");
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
