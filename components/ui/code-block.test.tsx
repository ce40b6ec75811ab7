import { cleanup, configure, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { CodeBlock } from "./code-block";

configure({ asyncUtilTimeout: 10_000 });
afterEach(cleanup);

it("shows code of a known language in its colours, and copies it as it is", async () => {
  render(<CodeBlock code={'export NAME="a b"\ncurl -sS $NAME'} label="Try it" language="sh" />);
  const string = await screen.findByText('"a b"');
  expect(string.className).toBe("text-code-string");
  expect(screen.getByRole("region", { name: "Try it" }).textContent).toBe('export NAME="a b"\ncurl -sS $NAME');
});
