import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createShortcutRegistry } from "./use-shortcut";

let isMac = false;
let areSingleKeysOn = true;
const registry = createShortcutRegistry({ isMac: () => isMac, areSingleKeysOn: () => areSingleKeysOn });
let removers: (() => void)[] = [];

beforeEach(() => document.addEventListener("keydown", registry.handle));
afterEach(() => {
  document.removeEventListener("keydown", registry.handle);
  for (const remove of removers) remove();
  removers = [];
  document.body.replaceChildren();
  isMac = false;
  areSingleKeysOn = true;
});

function add(keys: string, { inDialogs = false } = {}) {
  const run = vi.fn();
  const remove = registry.add({ keys, description: keys, group: "Test", inDialogs, run });
  removers.push(remove);
  return { run, remove };
}

function press(key: string, { on = document.body, ...init }: KeyboardEventInit & { on?: HTMLElement } = {}): void {
  on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init }));
}

function element(html: string): HTMLElement {
  document.body.innerHTML = html;
  const found = document.querySelector<HTMLElement>("[data-target]");
  if (!found) throw new Error("no target");
  return found;
}

test("runs a single key and a sequence", () => {
  const j = add("j");
  const goRuns = add("g r");
  press("j");
  press("g");
  press("r");
  expect(j.run).toHaveBeenCalledTimes(1);
  expect(goRuns.run).toHaveBeenCalledTimes(1);
});

test("matches the last key of an unknown sequence alone", () => {
  const j = add("j");
  add("g r");
  press("g");
  press("j");
  expect(j.run).toHaveBeenCalledTimes(1);
});

test("ignores an old first key of a sequence", () => {
  const r = add("r");
  const goRuns = add("g r");
  const at = (key: string, timeStamp: number) => {
    const event = new KeyboardEvent("keydown", { key });
    Object.defineProperty(event, "timeStamp", { value: timeStamp });
    registry.handle(event);
  };
  at("g", 5_000);
  at("r", 7_000);
  expect(goRuns.run).not.toHaveBeenCalled();
  expect(r.run).toHaveBeenCalledTimes(1);
});

test("uses the shortcut registered last until it is removed", () => {
  const first = add("e");
  const second = add("e");
  press("e");
  second.remove();
  press("e");
  expect(second.run).toHaveBeenCalledTimes(1);
  expect(first.run).toHaveBeenCalledTimes(1);
});

test.each([
  ["an input", "<input data-target>"],
  ["a search field", '<input type="search" data-target>'],
  ["a text area", "<textarea data-target></textarea>"],
  ["a select", "<select data-target></select>"],
  ["editable text", '<div contenteditable="true"><p data-target></p></div>'],
])("ignores keys in %s, except with mod", (_name, html) => {
  const j = add("j");
  const palette = add("mod+k");
  const target = element(html);
  press("j", { on: target });
  press("k", { on: target, ctrlKey: true });
  expect(j.run).not.toHaveBeenCalled();
  expect(palette.run).toHaveBeenCalledTimes(1);
});

test("accepts keys on a checkbox", () => {
  const x = add("x");
  press("x", { on: element('<input type="checkbox" data-target>') });
  expect(x.run).toHaveBeenCalledTimes(1);
});

test("ignores the page's keys while a dialog has the focus", () => {
  const j = add("j");
  const inside = add("y", { inDialogs: true });
  const target = element('<div role="dialog"><button data-target></button></div>');
  press("j", { on: target });
  press("y", { on: target });
  expect(j.run).not.toHaveBeenCalled();
  expect(inside.run).toHaveBeenCalledTimes(1);
});

test("mod is ⌘ on a Mac and Ctrl elsewhere", () => {
  const palette = add("mod+k");
  press("k", { metaKey: true });
  expect(palette.run).not.toHaveBeenCalled();
  isMac = true;
  press("k", { metaKey: true });
  press("k", { ctrlKey: true });
  expect(palette.run).toHaveBeenCalledTimes(1);
});

test("ignores shift for a question mark but not for a letter", () => {
  const help = add("?");
  const plain = add("x");
  const shifted = add("shift+x");
  press("?", { shiftKey: true });
  press("X", { shiftKey: true });
  expect(help.run).toHaveBeenCalledTimes(1);
  expect(shifted.run).toHaveBeenCalledTimes(1);
  expect(plain.run).not.toHaveBeenCalled();
});

test("turns off single keys but not those with mod", () => {
  areSingleKeysOn = false;
  const j = add("j");
  const palette = add("mod+k");
  press("j");
  press("k", { ctrlKey: true });
  expect(j.run).not.toHaveBeenCalled();
  expect(palette.run).toHaveBeenCalledTimes(1);
});
