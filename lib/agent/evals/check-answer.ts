import { canonicalJson } from "@/lib/core/json";
import { compilePattern } from "@/lib/skill-format/compile-pattern";
import type { CheckOutcome, EvalCheck } from "./schema";

/** An answer, and what the agent did on its way there. */
export type Answered = {
  text: string;
  steps: number;
  /** Names of the tools that answered, in order. */
  tools: string[];
  /** Names of the skills whose playbook was loaded or which were run. */
  skills: string[];
};

type Known = Exclude<EvalCheck, { kind: "judged" }>;

/** Holds an answer against a check that needs no judgement. `skill`: the name of the one that is evaluated. */
export function checkAnswer(check: Known, answered: Answered, skill: string): CheckOutcome {
  const { text, tools, skills, steps } = answered;
  switch (check.kind) {
    case "contains":
      return told(`contains “${check.value}”`, text.includes(check.value), "it does not");
    case "not_contains":
      return told(`does not contain “${check.value}”`, !text.includes(check.value), "it does");
    case "regex":
      return told(`matches ${check.value}`, compilePattern(check.value).test(text), "nothing in it does");
    case "json_equals":
      return jsonEquals(check.value, text);
    case "tool_called": {
      const list = tools.length === 0 ? "no tool was called" : `called: ${tools.join(", ")}`;
      return told(`calls ${check.value}`, tools.includes(check.value), list);
    }
    case "skill_used": {
      const name = check.value ?? skill;
      const list = skills.length === 0 ? "no skill was used" : `used: ${skills.join(", ")}`;
      return told(`uses ${name}`, skills.includes(name), list);
    }
    case "max_steps":
      return told(`takes at most ${check.value} steps`, steps <= check.value, `it took ${steps}`);
  }
}

function told(what: string, passed: boolean, why: string): CheckOutcome {
  return { what, passed, why: passed ? "" : why.slice(0, 500) };
}

/** The whole answer as JSON, or the one block of code in it. */
function jsonEquals(expected: unknown, text: string): CheckOutcome {
  const what = `is the JSON ${JSON.stringify(expected) ?? "null"}`;
  const [, block] = /```(?:json)?\s*\n([\s\S]*?)```/.exec(text) ?? [];
  for (const candidate of block === undefined ? [text] : [text, block]) {
    try {
      const value: unknown = JSON.parse(candidate);
      return told(what, canonicalJson(value) === canonicalJson(expected), "it is other JSON");
    } catch {
      // The next candidate, or the sentence below.
    }
  }
  return told(what, false, "it is no JSON");
}
