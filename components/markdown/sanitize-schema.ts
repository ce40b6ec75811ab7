import type { Options } from "rehype-sanitize";

/** What rendered playbooks may consist of. Everything else is dropped; no attribute carries a style, class or handler. */
export const sanitizeSchema: Options = {
  tagNames: [
    ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote"],
    ...["ul", "ol", "li", "input", "pre", "code", "strong", "em", "del", "a", "img"],
    ...["table", "thead", "tbody", "tr", "th", "td", "sup", "section"],
  ],
  attributes: {
    a: ["href"],
    img: ["src", "alt"],
    input: [["type", "checkbox"], "checked", ["disabled", true]],
    ol: ["start"],
    th: ["align"],
    td: ["align"],
  },
  required: { input: { type: "checkbox", disabled: true } },
  protocols: { href: ["http", "https", "mailto"], src: ["http", "https"] },
  strip: ["script", "style"],
};
