type MdNode = { type: string; value?: string; lang?: string | null; children?: MdNode[] };

/**
 * A remark plugin: HTML in a playbook is never rendered, and never dropped either. It stands as code, so that a comment
 * that a browser would hide is read by people as it is by models.
 */
export function showHtml() {
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
