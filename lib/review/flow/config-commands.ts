/** A command and its place in the file. */
type Command = { start: number; text: string };

const STARTS_PROGRAM = /\b(?:node|sh|bash|curl|wget|nc|python3?|base64)\b/;

/** The commands in a file of settings: JSON strings, and what follows a key such as `run:` or `ExecStart=`. */
export function configCommands(text: string): Command[] {
  const scripts: Command[] = [];
  for (const match of text.matchAll(/:\s{0,5}("(?:[^"\\\n]|\\.){4,4000}")/g)) {
    const [whole, value = ""] = match;
    if (!STARTS_PROGRAM.test(value)) continue;
    const command = parseText(value);
    if (command !== null) scripts.push({ start: match.index + whole.length - value.length, text: command });
  }
  const lines =
    /^[ \t-]{0,40}(?:run|command|cmd|script|entry|args|exec\w{0,12}|before_script|post\w{1,20})[ \t]{0,4}[:=][ \t]{0,4}(?![|>"{[])([^\n]{4,2000})/gim;
  for (const match of text.matchAll(lines)) {
    const [whole, value = ""] = match;
    if (STARTS_PROGRAM.test(value)) scripts.push({ start: match.index + whole.length - value.length, text: value });
  }
  return [...scripts, ...blockCommands(text)].slice(0, 200);
}

/** The indented lines below `run: |`. */
function blockCommands(text: string): Command[] {
  const scripts: Command[] = [];
  for (const match of text.matchAll(
    /^([ \t]{0,40})(?:- )?[\w-]{1,40}:[ \t]*[|>][+-]?[ \t]*\n((?:\1[ \t]+[^\n]{0,1000}(?:\n|$)|[ \t]*\n){1,200})/gm,
  )) {
    const [whole, , block = ""] = match;
    if (STARTS_PROGRAM.test(block)) scripts.push({ start: match.index + whole.length - block.length, text: block });
  }
  return scripts;
}

/** The commands of a Makefile or Dockerfile, of the same length. */
export function recipeText(text: string): string {
  return text
    .replace(/^(?:RUN|CMD|ENTRYPOINT) /gm, (word) => " ".repeat(word.length))
    .replace(/^([\w.-]+)[ ]*:{0,2}[?:]?=[ ]*(\S[^\n]*)$/gm, (line, name: string, value: string) => {
      const given = value.replace(/^\$\(shell /, "$(");
      return `${name}=${/^"|\$\(/.test(given) || !given.includes(" ") ? given : `"${given}"`}`
        .slice(0, line.length)
        .padEnd(line.length);
    })
    .replace(/^\t[@-]{1,2}/gm, (mark) => " ".repeat(mark.length))
    .replace(/^(?!\t|[ ])[^\n:=]{1,200}:(?!=)[^\n]*$/gm, (line) => " ".repeat(line.length))
    .replace(/\$\(([A-Z_]+)\)/g, (_whole, name: string) => `$\{${name}}`)
    .replaceAll("$$", " $");
}

function parseText(quoted: string): string | null {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}
