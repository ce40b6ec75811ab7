import type { Hit, Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { identifyBytes } from "./evidence/identify-bytes";

export const unreadableFile: Rule = {
  id: "OBF-003",
  version: 1,
  severity: "high",
  title: "File that cannot be read",
  why: "A program, bytecode, an archive or a file that is not what its name says: nobody can review it here.",
  owasp: ["ASI04", "ASI05"],
  decoded: false,
  checkSkill: ({ files }) => files.flatMap((file) => look(file, files).map((hit) => ({ ...hit, path: file.path }))),
};

function look(file: ScanFile, files: ScanFile[]): Hit[] {
  const { name, extension, mode, kind, bytes } = file;
  const what = identifyBytes(bytes);
  const hidden =
    name.startsWith(".") &&
    !/^\.(?:env|git|prettier|eslint|editor|npm|node|nvm|python|babel|docker|markdownlint|stylelint|pre-commit|tool-versions)/.test(
      name,
    );
  if (kind !== "binary") {
    if (hidden && (mode === "755" || file.text.startsWith("#!"))) return [{ text: `hidden script ${name}` }];
    return mode === "755" && /^(?:md|txt|json|ya?ml|toml|csv)$/.test(extension)
      ? [{ text: `executable ${name}`, severity: "info" }]
      : [];
  }
  if (what?.kind === "program") return [{ text: `${what.label} in ${name}` }];
  if (extension === "pyc" || what?.kind === "bytecode") {
    // What Python leaves beside a source is litter; without the source it is the program.
    const source = `${name.replace(/(?:\.cpython-\d+)?(?:\.opt-\d)?\.pyc$/, "")}.py`;
    const beside = files.some((other) => other.name === source);
    return [{ text: `bytecode ${name}`, severity: beside ? "medium" : "high" }];
  }
  if (what?.kind === "archive") {
    const fits = what.extensions.includes(extension);
    const locked = what.label === "ZIP archive" && isLockedZip(bytes);
    if (locked && !/^(?:docx|xlsx|pptx)$/.test(extension)) return [{ text: `ZIP archive with a password: ${name}` }];
    return [
      { text: `${what.label} in ${name}`, severity: fits ? (isDocument(extension) ? "info" : "medium") : "high" },
    ];
  }
  if (what !== null)
    return what.extensions.includes(extension) ? [] : [{ text: `${what.label} in ${name}`, severity: "medium" }];
  if (/^(?:sh|py|js|ts|mjs|rb|ps1|md|txt|json|ya?ml|toml)$/.test(extension)) return [{ text: `${name} is not text` }];
  return hidden && name !== ".ds_store"
    ? [{ text: `hidden file ${name} of an unknown kind` }]
    : [{ text: `${name} is of an unknown kind`, severity: "medium" }];
}

function isDocument(extension: string): boolean {
  return /^(?:docx|xlsx|pptx|dotx|potx|odt|ods|odp|epub|jar|whl|xpi|crx|vsix|skill|mcpb)$/.test(extension);
}

/** Bit 0 of the flags in the first local header. */
function isLockedZip(bytes: Uint8Array): boolean {
  return bytes.length > 8 && ((bytes[6] ?? 0) & 1) === 1;
}
