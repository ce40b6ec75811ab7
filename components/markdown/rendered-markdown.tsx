import Link from "next/link";
import { type ReactNode, useMemo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize, { type Options } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { FencedCode } from "@/components/code/coloured-text";
import { hiddenCharacterStyles } from "@/components/code/hidden-notice";
import { revealInvisible } from "@/components/code/reveal-invisible";
import { cn } from "@/components/ui/cn";

type Properties = Record<string, string>;
type HtmlNode = { type: string; tagName?: string; value?: string; properties?: Properties; children?: HtmlNode[] };

/** Allowed elements of rendered playbooks. No attribute can contain a style or handler, and a class only names the language of a fence. */
const sanitizeSchema: Options = {
  tagNames: [
    ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote"],
    ...["ul", "ol", "li", "input", "pre", "code", "strong", "em", "del", "a", "img"],
    ...["table", "thead", "tbody", "tr", "th", "td", "sup", "section"],
  ],
  attributes: {
    a: ["href"],
    code: [["className", /^language-[\w-]{1,20}$/]],
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

export type MarkdownProps = {
  text: string;
  /** Path of the file in its skill, the base of relative links. */
  path?: string;
  /** The page of another file of the skill; null when there is no such file. */
  fileHref?: (path: string) => string | null;
  className?: string;
};

const remarkPlugins = [remarkGfm, showHtml];

/** A rendered playbook. Its content cannot run, load or style anything: no HTML, no images, and links show their host. */
export function RenderedMarkdown({ text, path = "SKILL.md", fileHref, className }: MarkdownProps) {
  const components = useMemo(() => componentsFor(path, fileHref ?? (() => null)), [path, fileHref]);
  return (
    <div className={cn("prose [&_pre]:whitespace-pre-wrap", className)}>
      <ReactMarkdown
        remarkPlugins={remarkPlugins}
        rehypePlugins={[[rehypeSanitize, sanitizeSchema], revealInText]}
        components={components}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}

function componentsFor(path: string, fileHref: (path: string) => string | null): Components {
  const link = (href: string | undefined, children: ReactNode) => {
    const target = linkTarget(href, path);
    if (target.kind === "external") return <ExternalLink href={target.href} host={target.host} words={children} />;
    const page = target.kind === "file" ? fileHref(target.path) : null;
    if (page) return <Link href={page}>{children}</Link>;
    return <span title={href}>{children}</span>;
  };
  return {
    a: ({ href, children }) => link(href, children),
    code: ({ className, children }) => {
      const language = className?.replace("language-", "");
      // Children with revealed characters are elements already.
      const isText = language !== undefined && typeof children === "string";
      return <code>{isText ? <FencedCode language={language} text={children} /> : children}</code>;
    },
    // Loading an image would reveal the reader to its host.
    img: ({ src, alt }) => link(typeof src === "string" ? src : undefined, <>Image: {alt || "without description"}</>),
    // The page has its own h1.
    h1: ({ children }) => <h2>{children}</h2>,
    h2: ({ children }) => <h3>{children}</h3>,
    h3: ({ children }) => <h4>{children}</h4>,
    input: ({ checked }) => (
      <input type="checkbox" checked={checked === true} readOnly disabled aria-label={checked ? "Done" : "To do"} />
    ),
  };
}

function ExternalLink({ href, host, words }: { href: string; host: string; words: ReactNode }) {
  const saysHost = typeof words === "string" && words.includes(host);
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc" title={href}>
        {words}
      </a>
      {host && !saysHost ? <span className="text-muted-foreground text-xs"> ({host})</span> : null}
    </>
  );
}

type MdNode = { type: string; value?: string; lang?: string | null; children?: MdNode[] };

/**
 * A remark plugin that shows HTML as code. Models read HTML comments, so reviewers must see them too.
 */
function showHtml() {
  return (tree: MdNode) => visit(tree);
}

function visit(node: MdNode): void {
  const isBlock = ["root", "blockquote", "listItem", "footnoteDefinition"].includes(node.type);
  for (const child of node.children ?? []) {
    if (child.type === "html") {
      child.type = isBlock ? "code" : "inlineCode";
      if (isBlock) child.lang = "html";
    }
    visit(child);
  }
}

type LinkTarget =
  /** Another site; `host` is shown unless the link text contains it. */
  | { kind: "external"; href: string; host: string }
  /** A file of the same skill. */
  | { kind: "file"; path: string }
  | { kind: "anchor" }
  | { kind: "none" };

/** The target of a link in a file of a skill; `from` is the path of that file. */
function linkTarget(href: string | undefined, from: string): LinkTarget {
  if (!href) return { kind: "none" };
  if (href.startsWith("#")) return { kind: "anchor" };
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(href)) return externalTarget(href);
  const path = resolvePath(href, from);
  return path === null ? { kind: "none" } : { kind: "file", path };
}

function externalTarget(href: string): LinkTarget {
  try {
    const url = new URL(href, "https://invalid.example");
    if (url.protocol === "mailto:") return { kind: "external", href: url.href, host: "" };
    if (url.protocol !== "http:" && url.protocol !== "https:") return { kind: "none" };
    return { kind: "external", href: url.href, host: url.host };
  } catch {
    return { kind: "none" };
  }
}

function resolvePath(href: string, from: string): string | null {
  const [rawPath = ""] = href.split(/[?#]/);
  const parts = from.split("/").slice(0, -1);
  for (const part of decodePath(rawPath).split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "" && part !== ".") {
      parts.push(part);
    }
  }
  return parts.length === 0 ? null : parts.join("/");
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A rehype plugin that shows invisible characters as boxes with their code points. Runs after sanitizing. */
function revealInText() {
  return (tree: HtmlNode) => revealBelow(tree);
}

function revealBelow(node: HtmlNode): void {
  if (!node.children) return;
  for (const child of node.children) revealBelow(child);
  node.children = node.children.flatMap((child) => (child.type === "text" ? revealText(child) : [child]));
}

function revealText(node: HtmlNode): HtmlNode[] {
  return revealInvisible(node.value ?? "").map((segment) => {
    if (segment.kind === "text") return { type: "text", value: segment.text };
    const properties = { className: hiddenCharacterStyles, title: `${segment.codePoint}, ${segment.name}` };
    return { type: "element", tagName: "span", properties, children: [{ type: "text", value: segment.codePoint }] };
  });
}
