import { RevealedText } from "@/components/code/hidden-notice";

/** An untrusted address from the skill: a link only for http and https, always showing its host. */
export function ExternalAddress({ href }: { href: string }) {
  const url = parse(href);
  if (!url) return <RevealedText text={href} />;
  return (
    <a
      href={url.href}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      title={url.href}
      className="text-primary underline underline-offset-2 [overflow-wrap:anywhere]"
    >
      {url.host}
      {url.pathname === "/" ? "" : url.pathname}
    </a>
  );
}

function parse(href: string): URL | null {
  try {
    const url = new URL(href);
    return url.protocol === "https:" || url.protocol === "http:" ? url : null;
  } catch {
    return null;
  }
}
