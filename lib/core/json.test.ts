import { expect, test } from "vitest";
import { z } from "zod";
import { keepParsed } from "./json";

test("a text is parsed once for each schema, and what comes of it cannot be changed", () => {
  const [a, b] = [
    z.object({ list: z.array(z.object({ n: z.number() })) }),
    z.object({ list: z.unknown().transform(() => 1) }),
  ];
  const first = keepParsed(a, '{"list":[{"n":1}]}');
  expect(keepParsed(a, '{"list":[{"n":1}]}')).toBe(first);
  expect(keepParsed(a, '{"list":[{"n":2}]}')).toEqual({ list: [{ n: 2 }] });
  expect(keepParsed(b, '{"list":[{"n":1}]}')).toEqual({ list: 1 });
  expect(() => first.list.push({ n: 3 })).toThrow(TypeError);
  expect(() => Object.assign(first.list[0] ?? {}, { n: 3 })).toThrow(TypeError);
});

test("what does not fit is refused each time, and what was not used for long is forgotten", () => {
  const schema = z.object({ n: z.number() });
  for (let time = 0; time < 2; time += 1) expect(() => keepParsed(schema, '{"n":"x"}')).toThrow();
  const first = keepParsed(schema, '{"n":0}');
  for (let n = 1; n <= 500; n += 1) keepParsed(schema, `{"n":${n}}`);
  expect(keepParsed(schema, '{"n":0}')).not.toBe(first);
  const huge = `{"n":1,"text":"${"x".repeat(300_000)}"}`;
  expect(keepParsed(schema, huge)).not.toBe(keepParsed(schema, huge));
});
