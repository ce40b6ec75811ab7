import { isMapping } from "@/lib/skill-format/json-values";
import { type Activation, type DeclaredTool, skillClassOf } from "../schema";
import type { Reading } from "./dialect";

/**
 * `activation: {mode, keywords}`. Without a mode it is keyword when there are keywords. A mode that nobody knows is never
 * taken for "always": the skill then activates by no keyword.
 */
export function readActivation(value: unknown): Reading {
  const { mode, keywords } = isMapping(value) ? value : { mode: value, keywords: undefined };
  const list = typeof keywords === "string" ? keywords.split(",") : keywords;
  const words = Array.isArray(list) ? list.map((word) => String(word).trim()).filter((word) => word !== "") : [];
  const known = mode ?? (words.length > 0 ? "keyword" : "always");
  if (known === "always") return { value: { mode: "always", keywords: [] } satisfies Activation };
  if (known === "keyword") return { value: { mode: "keyword", keywords: words } satisfies Activation };
  const message = `The activation ${JSON.stringify(mode).slice(0, 80)} is neither always nor keyword; it counts as never.`;
  const never: Activation = { mode: "keyword", keywords: [] };
  return { value: never, note: { code: "activation_unknown", severity: "warning", message } };
}

/** `tools: [{name, impl, class, …}]`. Lists of plain names are somebody else's. A class that nobody knows is dangerous. */
export function readDeclaredTools(value: unknown): Reading {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isDeclared)) return { skip: true };
  const unknown = value.filter((tool) => classOf(tool.class) === null).map((tool) => tool.name);
  const tools = value.map(readDeclaredTool);
  if (unknown.length === 0) return { value: tools };
  const message = `The class of ${unknown.join(", ").slice(0, 80)} is not known; it counts as dangerous.`;
  return { value: tools, note: { code: "tool_class_unknown", severity: "warning", message } };
}

type RawTool = Record<string, unknown> & { name: string };

function isDeclared(tool: unknown): tool is RawTool {
  return (
    isMapping(tool) && typeof tool.name === "string" && ["impl", "class", "description"].some((key) => key in tool)
  );
}

function readDeclaredTool(tool: RawTool): DeclaredTool {
  const text = (key: string) => (typeof tool[key] === "string" ? tool[key] : null);
  return {
    name: tool.name,
    impl: text("impl"),
    class: classOf(tool.class) ?? "dangerous",
    description: text("description"),
    whenToUse: text("when_to_use"),
    confirmation: text("confirmation"),
    timeoutSeconds: typeof tool.timeout_seconds === "number" ? tool.timeout_seconds : null,
  };
}

function classOf(word: unknown): DeclaredTool["class"] | null {
  if (word === undefined || word === null || word === "") return "safe";
  return typeof word === "string" ? skillClassOf(word) : null;
}
