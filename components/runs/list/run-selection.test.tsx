import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { useShortcutListener } from "@/components/shell/use-shortcut";
import type { Me } from "@/lib/auth/schema";
import type { Run, RunState } from "@/lib/runner/schema";
import { useRunSelection } from "./run-selection";

const me = (role: Me["user"]["role"]) => ({ user: { id: "uma", role } }) as Me;
const run = (id: string, state: RunState = "running", caller = "uma") => ({ id, state, caller: { id: caller } }) as Run;

type Props = { runs: Run[]; active?: number; role?: Me["user"]["role"] };

function select({ runs, active, role }: Props) {
  return renderHook(
    (props: Props) => {
      useShortcutListener();
      return useRunSelection(props.runs, props.runs[props.active ?? -1], me(props.role ?? "user"));
    },
    { initialProps: { runs, ...(active === undefined ? {} : { active }), ...(role ? { role } : {}) } },
  );
}

const press = (key: string, shiftKey = false) =>
  act(() => {
    document.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey }));
  });

afterEach(cleanup);

describe("useRunSelection", () => {
  it("selects own unfinished runs, and all of them for an admin", () => {
    const runs = [run("a"), run("b", "succeeded"), run("c", "queued", "vic"), run("d", "awaiting_approval")];
    const ids = (role: Me["user"]["role"]) => select({ runs, role }).result.current.choosable.map(({ id }) => id);
    expect(ids("user")).toEqual(["a", "d"]);
    expect(ids("reviewer")).toEqual(["a", "d"]);
    expect(ids("admin")).toEqual(["a", "c", "d"]);
  });

  it("selects with x, and a range with Shift+x", () => {
    const runs = [run("a"), run("b", "failed"), run("c"), run("d")];
    const { result, rerender } = select({ runs, active: 0 });
    press("x");
    rerender({ runs, active: 2 });
    press("X", true);
    expect(result.current.chosen.map(({ id }) => id)).toEqual(["a", "c"]);
    press("x");
    expect(result.current.chosen.map(({ id }) => id)).toEqual(["a"]);
  });

  it("keeps its runs when new ones appear, and drops those that end", () => {
    const { result, rerender } = select({ runs: [run("a"), run("b")], active: 0 });
    press("x");
    rerender({ runs: [run("new"), run("a"), run("b")], active: 0 });
    expect(result.current.chosen.map(({ id }) => id)).toEqual(["a"]);
    rerender({ runs: [run("new"), run("a", "succeeded"), run("b")], active: 0 });
    expect(result.current.chosen).toEqual([]);
  });
});
