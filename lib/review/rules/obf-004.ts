import type { Rule } from "../scan/rule";

/** The scan itself adds findings of this rule where a limit was reached. */
export const notAnalysed: Rule = {
  id: "OBF-004",
  version: 1,
  severity: "high",
  title: "Could not be analysed",
  why: "A limit of time, size or encoding was reached. What was not looked at is unknown, not harmless.",
  owasp: ["ASI04"],
  decoded: false,
  checkFile: ({ unread, text, kind, extension }) => {
    if (unread === null) return [];
    if (unread === "too_long") return [{ text: `Only the first ${text.length} characters were scanned.` }];
    const text_ = "The file is not valid UTF-8; it was scanned as well as it could be.";
    // Tables and old notes often are in another encoding. Instructions and scripts have no reason to be.
    return [{ text: text_, severity: kind === "data" || extension === "txt" ? "medium" : "high" }];
  },
};
