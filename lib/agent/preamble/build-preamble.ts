import { type HiddenSkill, type Offer, type OfferedEntry, offeredSkills } from "@/lib/agent/offers/offered-skills";
import { describeOffered } from "@/lib/agent/offers/require-offered";
import type { HiddenReason, OfferedSkill } from "@/lib/agent/offers/schema";
import { recordStep } from "@/lib/agent/sessions/record-step";
import { offerOptionsOf } from "@/lib/agent/sessions/session-limits";
import { isAgent } from "@/lib/core/actor";
import { type Ctx, inQuickTransaction } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import { hasScope } from "@/lib/policy/require-scope";
import { measureContext } from "./measure-context";
import type { Preamble, PreambleFormat, PreambleMode, PreambleQuery } from "./schema";

const MAX_HIDDEN = 100;

const HOW_TO =
  "Before a task that one of these skills fits, load its playbook with use_skill, and load no more than one at a time.";
export const SAVE_HINT =
  "When you have found a way to do something that others will need again, save it with save_skill. It is pending review until a person approves it.";

type BuiltPreamble = { text: string; preamble: Preamble };

/** The index of offered skills with its share of a context. Recorded in the trace. Needs the scope `read`. */
export async function buildPreamble(ctx: Ctx, session: AgentSession, query: PreambleQuery): Promise<BuiltPreamble> {
  const ofSession = offerOptionsOf(session).capabilities ?? null;
  const capabilities = query.capabilities === undefined ? ofSession : splitList(query.capabilities);
  const offer = await offeredSkills(ctx, { capabilities });
  const { text, preamble } = composePreamble(ctx, query, offer);
  await inQuickTransaction(ctx, async (tx, txCtx) => {
    const detail = `listed ${preamble.skills.length} skills, ${preamble.hidden.total} hidden`;
    await recordStep(tx, txCtx, { sessionId: session.id, kind: "listed", tool: "preamble", detail });
  });
  return { text, preamble };
}

/** Like `buildPreamble`, without a trace and with all hidden skills: for people who inspect what an agent gets. */
export function composePreamble(
  ctx: Ctx,
  { format, mode, message, tools = true }: PreambleQuery,
  offer: Offer,
): BuiltPreamble & { hidden: HiddenSkill[] } {
  const { listed, kept } = choose(offer.skills, message);
  const hidden = [...offer.hidden, ...kept];
  const skills = mode === "off" ? [] : listed.map(describeOffered);
  const nudge = tools && mode !== "off" && hasScope(ctx.actor, "write") ? SAVE_HINT : null;
  const around = { mode, hidden, nudge };
  const xml = write(skills, "xml", around);
  const parts = skills.map((skill) => ({ name: skill.name, text: writeXmlSkill(skill, mode) }));
  const preamble: Preamble = {
    mode,
    revision: offer.revision,
    skills,
    hidden: {
      total: hidden.length,
      byReason: countReasons(hidden),
      skills: isAgent(ctx.actor)
        ? null
        : hidden.slice(0, MAX_HIDDEN).map(({ id, name, reason, why }) => ({ id, name, reason, why })),
    },
    nudge,
    budget: measureContext(xml, parts),
  };
  const text = format === "json" ? JSON.stringify(preamble) : format === "xml" ? xml : write(skills, format, around);
  return { text, preamble, hidden };
}

export function splitList(text: string): string[] {
  return [...new Set(text.split(",").map((part) => part.trim()))].filter((part) => part !== "");
}

/** The offered skills that a model may start now, and the others as hidden. */
function choose(skills: OfferedEntry[], message: string | undefined): { listed: OfferedEntry[]; kept: HiddenSkill[] } {
  const said = (message ?? "").toLowerCase();
  const kept: HiddenSkill[] = [];
  const listed = skills.filter((skill) => {
    const reason = whyUnlisted(skill, said);
    if (reason !== null) {
      const why = reason === "keyword" ? "The message contains none of its keywords." : "Only people start it.";
      kept.push({ id: skill.id, name: skill.name, reason, why, rule: reason, tool: skill.tool });
    }
    return reason === null;
  });
  return { listed, kept };
}

function whyUnlisted({ manifest }: OfferedEntry, said: string): HiddenReason | null {
  if (manifest.disableModelInvocation) return "model-invocation";
  if (manifest.activation?.mode !== "keyword") return null;
  const isSaid = manifest.activation.keywords.some(
    (word) => word.trim() !== "" && said.includes(word.trim().toLowerCase()),
  );
  return isSaid ? null : "keyword";
}

function countReasons(hidden: readonly HiddenSkill[]): Partial<Record<HiddenReason, number>> {
  const counts: Partial<Record<HiddenReason, number>> = {};
  for (const { reason } of hidden) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

type Around = { mode: PreambleMode; hidden: HiddenSkill[]; nudge: string | null };

function write(
  skills: OfferedSkill[],
  format: Exclude<PreambleFormat, "json">,
  { mode, hidden, nudge }: Around,
): string {
  if (mode === "off") return "";
  const isXml = format === "xml";
  const index = isXml
    ? ["<available_skills>", ...skills.map((skill) => writeXmlSkill(skill, mode)), "</available_skills>"]
    : ["## Available skills", "", ...skills.map((skill) => writeMarkdownSkill(skill, mode))];
  const after = [skills.length > 0 ? HOW_TO : null, sayHidden(hidden), nudge].filter((line) => line !== null);
  return `${index.join("\n")}\n${after.map((line) => `\n${line}\n`).join("")}`;
}

function sayHidden(hidden: HiddenSkill[]): string | null {
  if (hidden.length === 0) return null;
  const reasons = Object.entries(countReasons(hidden)).map(([reason, count]) => `${count} ${reason}`);
  return `Hidden skills: ${hidden.length} (${reasons.join(", ")}).`;
}

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

function writeMarkdownSkill(skill: OfferedSkill, mode: PreambleMode): string {
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
