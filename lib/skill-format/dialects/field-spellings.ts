import { KNOWN_KEYS } from "./known-keys";

/** How the two fields that every skill has are called where somebody, or a translating program, did not write English. */
const TRANSLATED: Readonly<Record<string, string>> = {
  ...{
    名称: "name",
    名字: "name",
    技能名称: "name",
    名前: "name",
    이름: "name",
    название: "name",
    имя: "name",
    nombre: "name",
  },
  ...{ 描述: "description", 说明: "description", 技能描述: "description", 説明: "description", 설명: "description" },
  ...{ описание: "description", descripción: "description", descrição: "description", beschreibung: "description" },
};

/** The known field that a key means which is written in another letter case or language; null when there is none. */
export function fieldMeantBy(key: string): string | null {
  const lower = key.trim().toLowerCase();
  if (Object.hasOwn(TRANSLATED, lower)) return TRANSLATED[lower] ?? null;
  return KNOWN_KEYS.has(lower) ? lower : null;
}
