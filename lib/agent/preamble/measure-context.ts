import type { ContextBudget } from "./schema";

const WINDOW = 200_000;
const SHARE = 0.02;
const CHARACTERS = 8_000;
const MAX_NAMED = 50;

const ESTIMATE = "One token for every 4 ASCII characters, rounded up, and one for every other character.";

/** Estimates tokens without a model: four ASCII characters or one other character make a token. */
export function estimateTokens(text: string): number {
  let ascii = 0;
  let others = 0;
  for (const char of text) {
    if (char.charCodeAt(0) < 128) ascii += 1;
    else others += 1;
  }
  return Math.ceil(ascii / 4) + others;
}

/** Finds skills beyond the limits at which clients cut their list: 2 % of 200,000 tokens, and 8,000 characters. */
export function measureContext(text: string, parts: readonly { name: string; text: string }[]): ContextBudget {
  const characters = [...text].length;
  const tokens = estimateTokens(text);
  const line = (name: string, unit: "tokens" | "characters", limit: number): ContextBudget["lines"][number] => {
    let used = 0;
    const at = parts.findIndex((part) => {
      used += unit === "tokens" ? estimateTokens(part.text) : [...part.text].length;
      return used > limit;
    });
    const behind = at === -1 ? [] : parts.slice(at);
    return {
      ...{ name, unit, limit, over: (unit === "tokens" ? tokens : characters) > limit },
      kept: parts.length - behind.length,
      cut: behind.slice(0, MAX_NAMED).map((part) => part.name),
      cutCount: behind.length,
    };
  };
  return {
    ...{ characters, tokens, estimate: ESTIMATE, window: WINDOW, share: tokens / WINDOW },
    lines: [
      line(`2 % of a window of ${WINDOW} tokens`, "tokens", WINDOW * SHARE),
      line("8,000 characters", "characters", CHARACTERS),
    ],
  };
}
