import { describe, expect, it } from "vitest";
import { type ArgsAction, changeDraft, startDraft, textOf } from "./args-draft";

function draftAfter(...actions: ArgsAction[]) {
  return actions.reduce(changeDraft, startDraft({ a: 1 }));
}

const toJson: ArgsAction = { type: "show", mode: "json" };
const toForm: ArgsAction = { type: "show", mode: "form" };

describe("changeDraft", () => {
  it("writes the form's value as JSON", () => {
    expect(textOf(draftAfter({ type: "edit-form", value: { a: 2 } }, toJson))).toBe('{\n  "a": 2\n}');
  });

  it("keeps text as typed, including spaces", () => {
    expect(textOf(draftAfter(toJson, { type: "edit-text", text: '{"a":3  }' }))).toBe('{"a":3  }');
  });

  it("passes valid JSON to the form", () => {
    expect(draftAfter(toJson, { type: "edit-text", text: '{"a":3}' }, toForm).value).toEqual({ a: 3 });
  });

  it("keeps invalid text when the form is shown and changed", () => {
    const broken = draftAfter(toJson, { type: "edit-text", text: '{"a": 3,' }, toForm, {
      type: "edit-form",
      value: { a: 9 },
    });
    expect(broken.value).toEqual({ a: 9 });
    expect(broken.problem).not.toBeNull();
    expect(textOf(changeDraft(broken, toJson))).toBe('{"a": 3,');
  });

  it("updates the text from the form, and leaves invalid text unchanged", () => {
    const whole = draftAfter({ type: "edit-text", text: '{"a":3  }' }, { type: "edit-form", value: { a: 4 } });
    expect(textOf(whole)).toBe('{\n  "a": 4\n}');
    const broken = draftAfter({ type: "edit-text", text: '{"a":' }, { type: "edit-form", value: { a: 4 } });
    expect(textOf(broken)).toBe('{"a":');
    expect(broken.value).toEqual({ a: 4 });
  });

  it("discards invalid text only on request", () => {
    const dropped = draftAfter(toJson, { type: "edit-text", text: "nonsense" }, toForm, { type: "drop-text" });
    expect(dropped.problem).toBeNull();
    expect(textOf(dropped)).toBe('{\n  "a": 1\n}');
  });

  it.each([
    ["[1]", "as a JSON object"],
    ["", "Enter the arguments"],
    ['{\n"a": oops\n}', "nvalid JSON."],
  ])("says why %j cannot be sent", (text, words) => {
    expect(draftAfter(toJson, { type: "edit-text", text }).problem).toContain(words);
  });

  it("replaces the arguments with those of a run, in the current view", () => {
    const draft = draftAfter(toJson, { type: "edit-text", text: "{" }, { type: "replace", value: { b: 1 } });
    expect(draft).toEqual({ mode: "json", value: { b: 1 }, editedIn: null, text: null, problem: null });
  });
});
