import type { OfferedSkill } from "../offers/schema";
import type { PreambleMode } from "./schema";

/** Limits of examples per skill in the index; the playbook contains all of them. */
const MAX_EXAMPLES = 4;
const MAX_EXAMPLE_CHARS = 200;

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

export function writeXmlSkill(skill: OfferedSkill, mode: PreambleMode): string {
  const { name, description, whenToUse, always, location, readPath, overlay } = skill;
  if (mode === "names") return `<skill><name>${escapeHtml(name)}</name></skill>`;
  const element = (tag: string, text: string) => `<${tag}>${escapeHtml(oneLine(text))}</${tag}>`;
  const examples = (overlay?.fewShot ?? []).slice(0, MAX_EXAMPLES);
  return [
    always ? '<skill always="true">' : "<skill>",
    element("name", name),
    element("description", description),
    ...(whenToUse === null ? [] : [element("when_to_use", whenToUse)]),
    ...examples.map(
      ({ input, output }) => `<example>${element("input", cut(input))}${element("output", cut(output))}</example>`,
    ),
    element("location", location),
    element("read_path", readPath),
    "</skill>",
  ].join("\n");
}

export function writeMarkdownSkill(skill: OfferedSkill, mode: PreambleMode): string {
  const { name, description, whenToUse, always, readPath, overlay } = skill;
  const plain = (text: string) => escapeMarkdown(oneLine(text));
  if (mode === "names") return `- ${plain(name)}`;
  const examples = (overlay?.fewShot ?? []).slice(0, MAX_EXAMPLES);
  return [
    `- **${plain(name)}**${always ? " (always)" : ""}: ${plain(description)}`,
    ...(whenToUse === null ? [] : [`  - When to use: ${plain(whenToUse)}`]),
    ...examples.map(({ input, output }) => `  - Example: ${plain(cut(input))} → ${plain(cut(output))}`),
    `  - Read: ${plain(readPath)}`,
  ].join("\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function cut(text: string): string {
  const letters = [...text];
  return letters.length > MAX_EXAMPLE_CHARS ? `${letters.slice(0, MAX_EXAMPLE_CHARS).join("")}…` : text;
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>|]/g, "\\$&");
}

/** Escapes text for use between tags or in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
