import { fieldMeantBy } from "./dialects/field-spellings";
import type { YamlMapping } from "./frontmatter/parse-yaml-block";

export type Respelled = { key: string; field: string };

/**
 * A mapping in which name and description have their own keys, where they are only there in another letter case or language. A
 * mapping that has both is given back as it is.
 */
export function respellFields(mapping: YamlMapping): { mapping: YamlMapping; respelled: Respelled[] } {
  const { values } = mapping;
  const missing = ["name", "description"].filter((field) => !Object.hasOwn(values, field));
  if (missing.length === 0) return { mapping, respelled: [] };
  const respelled = missing.flatMap((field) => {
    const key = Object.keys(values).find(
      (candidate) => fieldMeantBy(candidate) === field && mapping.texts.has(candidate),
    );
    return key === undefined ? [] : [{ key, field }];
  });
  if (respelled.length === 0) return { mapping, respelled };
  return { mapping: renameKeys(mapping, respelled), respelled };
}

/** The mapping with other names of top-level keys. */
export function renameKeys(mapping: YamlMapping, respelled: readonly Respelled[]): YamlMapping {
  const renamed = new Map(respelled.map(({ key, field }) => [key, field]));
  const rename = <T>(map: Map<string, T>) => new Map([...map].map(([key, value]) => [renamed.get(key) ?? key, value]));
  return {
    ...mapping,
    values: Object.fromEntries(Object.entries(mapping.values).map(([key, value]) => [renamed.get(key) ?? key, value])),
    texts: rename(mapping.texts),
    sources: rename(mapping.sources),
    comments: rename(mapping.comments),
    lines: rename(mapping.lines),
  };
}
