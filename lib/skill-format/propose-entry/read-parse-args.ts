import { type Found, type FoundParam, lineAt } from "./found";
import { readCalls, readFields } from "./read-call";
import { readLiteral, readString } from "./read-literal";

/** Options that a Node script declares with `parseArgs` of `node:util`. */
export function readParseArgs(text: string): Found | null {
  const [call] = readCalls(text, /\bparseArgs\(/g, ":");
  if (call === undefined) return null;
  const config = call.args[0] !== undefined ? readFields(call.args[0]) : call.named;
  const raw = config.get("options") ?? "";
  // Options are often a constant of their own.
  const constant = /^[A-Za-z_$][\w$]{0,60}$/.test(raw) || raw === "" ? constantOf(text, raw || "options") : raw;
  const params = [...readFields(constant)].map(([name, field]): FoundParam => {
    const fields = readFields(field);
    const flag = `--${name}`;
    if (readString(fields.get("type")) !== "string")
      return { name, kind: "flag", flag, type: "boolean", required: false };
    const repeats = readLiteral(fields.get("multiple")) === true ? { repeat: true } : {};
    return {
      name,
      kind: "option",
      flag,
      type: "string",
      required: false,
      default: readLiteral(fields.get("default")),
      ...repeats,
    };
  });
  const takesMore = readLiteral(config.get("allowPositionals")) === true;
  if (params.length === 0 && !takesMore) return null;
  const more: FoundParam = { name: "arguments", kind: "positional", type: "string", required: false, repeat: true };
  return {
    params: [...params, ...(takesMore ? [more] : [])],
    standard: true,
    readFrom: "util.parseArgs",
    line: lineAt(text, call.index),
    confidence: "declared",
    note: "It declares each option, and does not say which of them it needs.",
  };
}

function constantOf(text: string, name: string): string {
  const [found] = readCalls(
    text,
    new RegExp(`\\b(?:const|let|var)\\s+${name.replaceAll("$", "\\$")}\\s*=\\s*\\{`, "g"),
    ":",
  );
  return found ? `{${[...found.named].map(([key, value]) => `${key}: ${value}`).join(",")}}` : "";
}
