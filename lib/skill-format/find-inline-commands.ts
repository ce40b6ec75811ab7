const MAX_COMMANDS = 100;

/**
 * Shell commands that Claude Code runs by itself while it loads a playbook: `` !`command` `` behind a blank or at the
 * beginning of a line, also over several lines, and what follows `` ```! `` up to the next fence, wherever both stand: its own
 * patterns are bound to no line. In order, at most 100.
 */
export function findInlineCommands(body: string): string[] {
  if (!body.includes("!")) return [];
  const inline = [...body.matchAll(/(?:^|\s)!`([^`]+)`/g)].map((match) => match[1] ?? "");
  const fenced = [...body.matchAll(/```!([\s\S]*?)(?:```|$)/g)].map((match) => (match[1] ?? "").trim());
  return [...inline, ...fenced].slice(0, MAX_COMMANDS);
}
