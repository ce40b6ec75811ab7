import { hiddenCharacterStyles } from "@/components/code/hidden-notice";
import { revealInvisible } from "@/components/code/reveal-invisible";

type Properties = Record<string, string>;
type HtmlNode = { type: string; tagName?: string; value?: string; properties?: Properties; children?: HtmlNode[] };

/** A rehype plugin that shows invisible characters as boxes with their code points. Runs after sanitizing. */
export function revealInText() {
  return (tree: HtmlNode) => visit(tree);
}

function visit(node: HtmlNode): void {
  if (!node.children) return;
  for (const child of node.children) visit(child);
  node.children = node.children.flatMap((child) => (child.type === "text" ? revealText(child) : [child]));
}

function revealText(node: HtmlNode): HtmlNode[] {
  return revealInvisible(node.value ?? "").map((segment) => {
    if (segment.kind === "text") return { type: "text", value: segment.text };
    const properties = { className: hiddenCharacterStyles, title: `${segment.codePoint}, ${segment.name}` };
    return { type: "element", tagName: "span", properties, children: [{ type: "text", value: segment.codePoint }] };
  });
}
