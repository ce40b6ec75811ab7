import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { yaml, yamlFrontmatter } from "@codemirror/lang-yaml";
import type { Extension } from "@codemirror/state";

/** How a file is coloured. JSON is read as YAML, which it is a part of; other files stay plain. */
export function languageOf(path: string): Extension {
  if (/\.(md|markdown)$/i.test(path)) {
    return yamlFrontmatter({ content: markdown({ base: markdownLanguage, completeHTMLTags: false }) });
  }
  return /\.(ya?ml|json)$/i.test(path) ? yaml() : [];
}
