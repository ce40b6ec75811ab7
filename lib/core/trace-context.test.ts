import { expect, test } from "vitest";
import { continueTrace, formatTraceParent, parseTraceParent } from "./trace-context";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

test("a traceparent is read, also one of a later version that says more", () => {
  const found = { traceId: TRACE, spanId: SPAN, flags: "01" };
  expect(parseTraceParent(`00-${TRACE}-${SPAN}-01`)).toEqual(found);
  expect(parseTraceParent(`cc-${TRACE}-${SPAN}-01-what-comes-later`)).toEqual(found);
});

test.each([
  ["nothing", null],
  ["no fields", ""],
  ["more than version 00 has", `00-${TRACE}-${SPAN}-01-more`],
  ["the version that is none", `ff-${TRACE}-${SPAN}-01`],
  ["capitals", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ["a trace of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
  ["a parent of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
  ["a short trace", `00-${TRACE.slice(1)}-${SPAN}-01`],
  ["a space before it", ` 00-${TRACE}-${SPAN}-01`],
  ["a line break", `00-${TRACE}-${SPAN}-01\n`],
  ["more text than anybody sends", `cc-${TRACE}-${SPAN}-01-${"x".repeat(600)}`],
])("%s is no trace, and a new one begins", (_, text) => {
  expect(parseTraceParent(text)).toBeNull();
  const begun = continueTrace(text);
  expect(begun.traceId).not.toBe(TRACE);
  expect(parseTraceParent(formatTraceParent(begun))).toEqual(begun);
});

test("a trace goes on under a step of its own, and of its flags only the one that is defined", () => {
  const next = continueTrace(`00-${TRACE}-${SPAN}-ff`);
  expect(next).toEqual({ traceId: TRACE, spanId: expect.not.stringMatching(SPAN), flags: "01" });
  expect(continueTrace(`00-${TRACE}-${SPAN}-02`).flags).toBe("00");
});
