const LEFT_OUT = ["script", "style", "noscript", "template", "svg", "head", "iframe", "object", "nav", "footer"];
const BLOCKS =
  "address|article|aside|blockquote|br|dd|details|div|dl|dt|fieldset|figcaption|figure|form|h[1-6]|header|hr|li|main|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul";
const ENTITIES: Record<string, string> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", ndash: "–", mdash: "—", hellip: "…", copy: "©" },
  ...{ lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", bull: "•", middot: "·", laquo: "«", raquo: "»", euro: "€" },
};

/** What a person would read of an HTML page, without scripts, styles and navigation; a list of links is not kept. */
export function extractText(html: string): { title: string; text: string } {
  const title = /<title[^<>]*>([^<]*)/i.exec(html)?.[1] ?? "";
  let rest = dropBetween(html, "<!--", "-->");
  for (const name of LEFT_OUT) rest = dropElement(rest, name);
  const text = rest.replace(new RegExp(`</?(?:${BLOCKS})\\b[^<>]*>`, "gi"), "\n").replace(/<[^<>]*>/g, "");
  return { title: tidy(decode(title)).replace(/\n+/g, " "), text: tidy(decode(text)) };
}

/** By searching and not by one pattern: a pattern that looks for an end that is not there takes quadratic time. */
function dropElement(html: string, name: string): string {
  const opening = new RegExp(`<${name}(?=[\\s/>])`, "gi");
  const closing = new RegExp(`</${name}\\s*>`, "gi");
  const kept: string[] = [];
  let from = 0;
  for (let found = opening.exec(html); found; found = opening.exec(html)) {
    kept.push(html.slice(from, found.index));
    closing.lastIndex = found.index;
    const end = closing.exec(html);
    // An element that is never closed: only its tag goes, as browsers would do with most.
    from = end ? closing.lastIndex : Math.max(found.index, html.indexOf(">", found.index) + 1);
    if (!end) break;
    opening.lastIndex = from;
  }
  return kept.join("\n") + html.slice(from);
}

function dropBetween(text: string, start: string, end: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, from)) {
    kept.push(text.slice(from, at));
    const close = text.indexOf(end, at + start.length);
    if (close < 0) return kept.join("");
    from = close + end.length;
  }
  return kept.join("") + text.slice(from);
}

function decode(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,10});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "";
  });
}

function tidy(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(/[^\S\n]+/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
