import { parseAllowedTools } from "./allowed-tools";
import { decodeText } from "./is-text";
import { parseFrontmatter } from "./parse-frontmatter";
import type { SkillManifest } from "./schema";
import { skillClassOf } from "./skill-class";
import { type SkillPart, saidFields } from "./skill-part";
import { storableText } from "./storable-text";
import { type FieldTaker, takeFields } from "./take-fields";

/**
 * What a SKILL.md says (agentskills.io frontmatter, its common extensions and spellings) and its body. Never throws: bytes
 * that are not UTF-8 and frontmatter that cannot be read become diagnostics. Unknown keys are kept in `meta` untouched.
 */
export function readSkillMd(file: { path: string; bytes: Uint8Array }): SkillPart {
  const text = decodeText(file.bytes);
  if (text === null) {
    const message = "The file is not UTF-8 text.";
    return { fields: {}, meta: {}, diagnostics: [{ code: "not_utf8", severity: "error", path: file.path, message }] };
  }
  const { mapping, body, diagnostics } = parseFrontmatter(text, file.path);
  if (text.includes("\0")) {
    diagnostics.push({ code: "has_nul", severity: "error", path: file.path, message: "The file has NUL characters." });
  }
  const fields = { body: storableText(body) };
  if (mapping === null) return { fields, meta: {}, diagnostics };
  // Lines of the block begin after the opening fence.
  const lines = new Map([...mapping.lines].map(([key, line]) => [key, line + 1]));
  const taker = takeFields({ values: mapping.values, texts: mapping.texts, lines, path: file.path });
  const taken = readFields(taker);
  return {
    fields: { ...saidFields(taken), ...fields },
    meta: taker.rest(),
    diagnostics: [...diagnostics, ...taker.diagnostics],
  };
}

function readFields(taker: FieldTaker) {
  return {
    name: taker.text("name")?.trim(),
    description: taker.text("description")?.trim(),
    whenToUse: taker.text("when_to_use", "when-to-use"),
    label: taker.text("label"),
    author: taker.text("author"),
    version: taker.text("version"),
    license: taker.text("license"),
    homepage: taker.text("homepage"),
    category: taker.text("category"),
    compatibility: readCompatibility(taker),
    tags: taker.list("tags"),
    depends: taker.list("depends"),
    requires: taker.map("requires"),
    always: taker.flag("always"),
    userInvocable: taker.flag("user-invocable", "user_invocable"),
    disableModelInvocation: taker.flag("disable-model-invocation", "disable_model_invocation"),
    allowedTools: parseAllowedTools(taker.any("allowed-tools", "allowed_tools")),
    contextFork: readContextFork(taker),
    declaredClass: readClass(taker),
    scope: readScope(taker),
  };
}

function readCompatibility(taker: FieldTaker): string | null {
  const value = taker.any("compatibility");
  if (value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function readContextFork(taker: FieldTaker): boolean | null {
  const context = taker.any("context");
  // Other values of `context` mean other things to other programs.
  if (context !== undefined && context !== "fork") taker.rest().context = context;
  return context === "fork" ? true : taker.flag("context_fork", "context-fork");
}

function readClass(taker: FieldTaker): SkillManifest["declaredClass"] {
  const word = taker.text("class");
  const declared = word === null ? null : skillClassOf(word);
  if (word !== null && declared === null) {
    taker.giveBack("class", "class_invalid", `The class "${word}" is none of safe, mutating and dangerous.`);
  }
  return declared;
}

function readScope(taker: FieldTaker): SkillManifest["scope"] | null {
  const word = taker.text("scope");
  if (word === "host" || word === "edge") return "host";
  if (word === "manager") return "manager";
  if (word !== null) taker.giveBack("scope", "scope_unknown", `The scope "${word}" is neither manager nor host.`);
  return null;
}
