import { stateLooks } from "@/components/ui/state-chip";
import type { RunState, RunSummary } from "@/lib/client/runs";
import { stateFills } from "./state-fills";
import { stateOrder } from "./state-order";

type StateBarsProps = { buckets: RunSummary["buckets"]; most: number; state: RunState | null };

/** One bar for each bucket, its states on top of each other; those that are not asked for are faint. */
export function StateBars({ buckets, most, state: asked }: StateBarsProps) {
  return buckets.map((bucket, index) => {
    let base = 0;
    return (
      <g key={bucket.from}>
        {stateOrder.map((state) => {
          const count = bucket.states[state] ?? 0;
          if (count === 0) return null;
          const height = (count / most) * 88;
          base += height;
          return (
            <rect
              key={state}
              x={index + 0.1}
              y={100 - base}
              width={0.8}
              height={height}
              className={stateFills[stateLooks[state].tone].fill}
              opacity={asked === null || asked === state ? 1 : 0.25}
            />
          );
        })}
      </g>
    );
  });
}
