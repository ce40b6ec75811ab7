import { SlidersHorizontal } from "lucide-react";
import { useShortcut } from "@/components/shell/use-shortcut";
import { useStoredValue } from "@/components/state/use-stored-value";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { IconButton } from "@/components/ui/icon-button";

const nextTimes: Record<LogTimes, LogTimes> = { none: "elapsed", elapsed: "clock", clock: "none" };

type LogDisplay = ReturnType<typeof useLogDisplay>;

export function useLogDisplay() {
  const [times, setTimes] = useStoredValue<LogTimes>("skillgate.log-times", "none");
  const [wrap, setWrap] = useStoredValue<"on" | "off">("skillgate.log-wrap", "on");
  const known: LogTimes = times in nextTimes ? times : "none";
  const display = {
    times: known,
    setTimes,
    wrap: wrap !== "off",
    setWrap: (on: boolean) => setWrap(on ? "on" : "off"),
  };
  useShortcut("t", "Toggle line times", () => setTimes(nextTimes[known]), { group: "Log" });
  useShortcut("w", "Wrap long lines", () => display.setWrap(!display.wrap), { group: "Log" });
  return display;
}

export function LogViewMenu({ display }: { display: LogDisplay }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <IconButton label="Log display" size="sm">
          <SlidersHorizontal aria-hidden />
        </IconButton>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuLabel>Times</DropdownMenuLabel>
        <DropdownMenuRadioGroup value={display.times} onValueChange={(times) => display.setTimes(times as LogTimes)}>
          <DropdownMenuRadioItem value="none">None</DropdownMenuRadioItem>
          <DropdownMenuRadioItem value="elapsed">Since the run started</DropdownMenuRadioItem>
          <DropdownMenuRadioItem value="clock">Time of day</DropdownMenuRadioItem>
        </DropdownMenuRadioGroup>
        <DropdownMenuSeparator />
        <DropdownMenuItem shortcut="w" onSelect={() => display.setWrap(!display.wrap)}>
          {display.wrap ? "Do not wrap long lines" : "Wrap long lines"}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

type LogTimes = "none" | "elapsed" | "clock";

/** The time of a line: since the start of the run (`+1.234`), or in the browser's time zone. */
export function logTime(at: string, startedAt: string | null, times: LogTimes): string | null {
  const time = Date.parse(at);
  if (times === "none" || Number.isNaN(time)) return null;
  if (times === "clock") return clock.format(time);
  const elapsed = Math.max(0, time - Date.parse(startedAt ?? at));
  const minutes = Math.floor(elapsed / 60_000);
  const seconds = ((elapsed % 60_000) / 1000).toFixed(3);
  return minutes === 0 ? `+${seconds}` : `+${minutes}:${seconds.padStart(6, "0")}`;
}

const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
});
