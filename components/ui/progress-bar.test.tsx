import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { ProgressBar } from "./progress-bar";

afterEach(cleanup);

test.each([
  [0, 10_000, "0%"],
  [1, 10_000, "2%"],
  [5000, 10_000, "50%"],
])("%i of %i fills %s", (done, total, width) => {
  render(<ProgressBar label="Skills" done={done} total={total} />);
  expect((screen.getByRole("progressbar").firstElementChild as HTMLElement).style.width).toBe(width);
});
