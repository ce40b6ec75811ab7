import Link from "next/link";
import { type ReactNode, useMemo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { cn } from "@/components/ui/cn";
import { linkTarget } from "./link-target";
import { revealInText } from "./reveal-in-text";
import { sanitizeSchema } from "./sanitize-schema";
import { showHtml } from "./show-html";

type MarkdownProps = {
  text: string;
  /** Path of the file in its skill, which relative links start from. */
  path?: string;
  /** The page of another file of the skill; null when there is no such file. */
  fileHref?: (path: string) => string | null;
  className?: string;
};

const remarkPlugins = [remarkGfm, showHtml];

/** A playbook as prose. Nothing in it can run, load or style anything: no HTML, no images, links that show their host. */
export function Markdown({ text, path = "SKILL.md", fileHref, className }: MarkdownProps) {
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
    // Loading it would tell its host who reads this.
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
