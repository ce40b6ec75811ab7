import {
  ErrorCode,
  type GetPromptRequest,
  type ListPromptsRequest,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import type { EnabledSkill } from "../offers/enabled-skills";
import { offeredSkills } from "../offers/offered-skills";
import { inSession, requireAgentSession } from "../sessions/open-agent-session";
import { offerOptionsOf } from "../sessions/session-limits";
import { useSkill as loadSkill } from "../use-skill";
import type { RequestContext } from "./request-context";
import { pageFrom } from "./skill-uri";

const PAGE = 100;
/** Argument of a playbook that declares none: the text after its name. */
const WHOLE_LINE = "arguments";

/** Whether a person may start a skill by name: it has a playbook, and its author allows it. */
export function isPrompt({ manifest, marker }: EnabledSkill): boolean {
  return manifest.userInvocable && marker.toLowerCase() === "skill.md";
}

export async function listPrompts({ ctx, session }: RequestContext, { params }: ListPromptsRequest) {
  const { skills } = await offeredSkills(ctx, { canConfirm: session.canConfirm });
  const callable = skills.filter(isPrompt).sort((a, b) => (a.name < b.name ? -1 : 1));
  const page = pageFrom(callable, params?.cursor, PAGE);
  const prompts = page.items.map((skill) => ({
    name: skill.name,
    title: skill.label ?? skill.name,
    description: skill.manifest.description,
    arguments: argumentsOf(skill),
  }));
  return { prompts, ...page.next };
}

function argumentsOf({ manifest }: EnabledSkill) {
  const hint = manifest.argumentHint ?? undefined;
  if (manifest.arguments.length === 0) {
    return [{ name: WHOLE_LINE, description: hint ?? "Text after the name, as one line.", required: false }];
  }
  return manifest.arguments.map((name) => ({ name, description: hint, required: false }));
}

/** The playbook with its arguments filled in, as by use_skill; its tool limit applies from then on. */
export async function getPrompt({ ctx, session }: RequestContext, { params }: GetPromptRequest) {
  const { skills } = await offeredSkills(ctx, { canConfirm: session.canConfirm });
  const skill = skills.find(({ name }) => name === params.name);
  if (skill === undefined || !isPrompt(skill)) {
    throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${params.name.slice(0, 200)}.`);
  }
  const line = lineOf(skill, params.arguments ?? {});
  const row = await requireAgentSession(ctx, session.id);
  const input = { name: skill.name, ...(line === "" ? {} : { arguments: line }) };
  const { content } = await loadSkill(inSession(ctx, row), row, input, {
    byPerson: true,
    to: offerOptionsOf(row, session.canConfirm),
  });
  return {
    description: skill.manifest.description,
    messages: [{ role: "user" as const, content: { type: "text" as const, text: content } }],
  };
}

function lineOf({ manifest }: EnabledSkill, given: Record<string, string>): string {
  if (manifest.arguments.length === 0) return (given[WHOLE_LINE] ?? "").trim();
  const values = manifest.arguments.map((name) => given[name] ?? "");
  while (values.at(-1) === "") values.pop();
  return values.map(quoted).join(" ");
}

/** Quotes a value as one word: `fillArguments` has no escapes, but joins adjacent quoted parts. */
function quoted(value: string): string {
  if (/^[^\s"']+$/.test(value)) return value;
  const parts = value.split('"').map((part) => `"${part}"`);
  return parts.join(`'"'`);
}
