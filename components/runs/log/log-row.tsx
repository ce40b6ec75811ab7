import { type CSSProperties, type MouseEvent, memo } from "react";
import { cn } from "@/components/ui/cn";
import { type AnsiColor, type AnsiPiece, type AnsiStyle, readAnsi } from "./ansi";
import type { LogLine } from "./use-run-log";

type Rgb = readonly [number, number, number];

type Theme = "light" | "dark";

const minContrast = 4.5;

/** Background of log lines: the muted or the selected colour, the one with the lower contrast. */
export const logBackgrounds: Record<Theme, Rgb> = { light: [230, 240, 240], dark: [36, 44, 45] };

const defaultColors: Record<Theme, Rgb> = { light: [26, 29, 31], dark: [231, 234, 235] };

/** The 16 text colours per theme, readable on that theme's background. */
const ansiTextColors: Record<Theme, readonly Rgb[]> = {
  light: hexes(
    "1f2328 b3191f 14632a 7a4a00 0a52b8 7f2f9e 0b5f68 4b5257 4f565b a4161b 11602a 744600 0848ad 7a2a99 095a63 33383b",
  ),
  dark: hexes(
    "a3abae ff8d85 6ddb8a e5b95c 84b4ff d9a1f2 5fd4dd d5d9da a9b1b4 ffa8a1 8be8a3 f2cd7e a3c8ff e5baf8 85e3ea ffffff",
  ),
};

/** The 16 background colours, the same in both themes; muted xterm colours. */
const ansiBackgrounds = hexes(
  "1c1f21 b3261e 1f7a3a a86a00 1f5fbf 8a3fa8 0f6f78 c9cfd1 5c6366 e5534b 3fb950 d9a520 539bf5 c678dd 39c5cf ffffff",
);

type LogRowProps = {
  line: LogLine;
  time: string | null;
  wrap: boolean;
  isLinked: boolean;
  hits: readonly LineHit[];
  currentHit: number;
  onLink: (event: MouseEvent, line: number) => void;
};

export const LogRow = memo(function LogRow({ line, time, wrap, isLinked, hits, currentHit, onLink }: LogRowProps) {
  const isSystem = line.stream === "system";
  return (
    <div
      data-line={line.number}
      data-linked={isLinked || undefined}
      className={cn(
        "flex min-w-full leading-5 data-linked:bg-selected data-linked:shadow-[inset_2px_0_0_var(--primary)]",
        wrap ? "w-full" : "w-max",
      )}
    >
      <a
        href={`#L${line.number}`}
        tabIndex={-1}
        aria-label={`Line ${line.number}`}
        title={line.at}
        onClick={(event) => onLink(event, line.number)}
        className="w-14 shrink-0 select-none pr-3 text-right text-muted-foreground tabular-nums hover:text-foreground hover:underline"
      >
        {line.number}
      </a>
      {time === null ? null : (
        <time dateTime={line.at} className="shrink-0 select-none pr-3 text-muted-foreground tabular-nums">
          {time}
        </time>
      )}
      <span
        className={cn(
          "min-w-0 pr-4",
          wrap ? "flex-1 whitespace-pre-wrap break-words wrap-anywhere" : "whitespace-pre",
          isSystem && "text-muted-foreground italic",
        )}
      >
        {isSystem ? <span className="sr-only">Skillgate: </span> : null}
        <LineText line={line} hits={hits} currentHit={currentHit} />
      </span>
    </div>
  );
});

function LineText({ line, hits, currentHit }: Pick<LogRowProps, "line" | "hits" | "currentHit">) {
  if (line.plain === "") return " ";
  const { pieces } = readAnsi(line.text, line.style);
  return markPieces(pieces, hits).map(({ text, style, at, hit }) => {
    const css = cssOfAnsi(style);
    if (hit !== null) return <Hit key={at} text={text} isCurrent={hit === currentHit} />;
    return css ? (
      <span key={at} style={css}>
        {text}
      </span>
    ) : (
      text
    );
  });
}

function Hit({ text, isCurrent }: { text: string; isCurrent: boolean }) {
  return (
    <mark
      data-current={isCurrent || undefined}
      className="rounded-[2px] bg-primary-soft text-primary ring-1 ring-primary/40 data-current:bg-primary data-current:text-primary-foreground"
    >
      {text}
    </mark>
  );
}

export type LineHit = { start: number; end: number; place: number };
/** A part of a line with one style, inside at most one hit. */
type LinePart = { text: string; style: AnsiStyle; at: number; hit: number | null };

/** Splits the pieces of a line at the bounds of hits. */
export function markPieces(pieces: readonly AnsiPiece[], hits: readonly LineHit[]): LinePart[] {
  const parts: LinePart[] = [];
  let at = 0;
  for (const { text, style } of pieces) {
    const end = at + text.length;
    let from = at;
    for (const hit of hits) {
      if (hit.end <= from || hit.start >= end) continue;
      const start = Math.max(hit.start, from);
      const stop = Math.min(hit.end, end);
      if (start > from) parts.push({ text: text.slice(from - at, start - at), style, at: from, hit: null });
      parts.push({ text: text.slice(start - at, stop - at), style, at: start, hit: hit.place });
      from = stop;
    }
    if (from < end) parts.push({ text: text.slice(from - at), style, at: from, hit: null });
    at = end;
  }
  return parts;
}

/** The CSS of a style for both themes; undefined for plain text. */
export function cssOfAnsi(style: AnsiStyle): CSSProperties | undefined {
  const { bold, italic, underline, strike } = style;
  const css: CSSProperties = {
    ...(bold ? { fontWeight: 700 } : {}),
    ...(italic ? { fontStyle: "italic" } : {}),
    ...(underline || strike
      ? { textDecorationLine: [underline ? "underline" : "", strike ? "line-through" : ""].join(" ").trim() }
      : {}),
    ...colorsOf(style),
  };
  return Object.keys(css).length === 0 ? undefined : css;
}

function colorsOf(style: AnsiStyle): CSSProperties {
  if (!style.color && !style.background && !style.inverse) return {};
  const light = resolveAnsi(style, "light");
  const dark = resolveAnsi(style, "dark");
  return {
    color: pair(light.color, dark.color),
    ...(light.background && dark.background ? { backgroundColor: pair(light.background, dark.background) } : {}),
  };
}

/** The colours in one theme. Text is mixed with black or white until its contrast is at least 4.5 (WCAG 1.4.3). */
export function resolveAnsi(style: AnsiStyle, theme: Theme): { color: Rgb; background: Rgb | null } {
  const text = style.color ? textRgb(style.color, theme) : defaultColors[theme];
  if (!style.inverse) {
    const background = style.background ? backgroundRgb(style.background) : null;
    return { color: readable(text, background ?? logBackgrounds[theme]), background };
  }
  const background = style.color ? backgroundRgb(style.color) : defaultColors[theme];
  const inner = style.background ? backgroundRgb(style.background) : logBackgrounds[theme];
  return { color: readable(inner, background), background };
}

function textRgb(color: AnsiColor, theme: Theme): Rgb {
  if (color.kind === "rgb") return color.rgb;
  return ansiTextColors[theme][color.index] ?? cubeRgb(color.index);
}

function backgroundRgb(color: AnsiColor): Rgb {
  if (color.kind === "rgb") return color.rgb;
  return ansiBackgrounds[color.index] ?? cubeRgb(color.index);
}

/** xterm's palette: 16 to 231 are a 6×6×6 cube, 232 to 255 greys. */
function cubeRgb(index: number): Rgb {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return [grey, grey, grey];
  }
  const place = index - 16;
  const step = (level: number) => (level === 0 ? 0 : 55 + level * 40);
  return [step(Math.floor(place / 36)), step(Math.floor(place / 6) % 6), step(place % 6)];
}

function readable(text: Rgb, background: Rgb): Rgb {
  const towards: Rgb = luminance(background) > 0.18 ? [0, 0, 0] : [255, 255, 255];
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(text, towards, share);
    if (contrast(mixed, background) >= minContrast) return mixed;
  }
  return towards;
}

function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const part = (from: number, to: number) => Math.round(from + (to - from) * share);
  return [part(a[0], b[0]), part(a[1], b[1]), part(a[2], b[2])];
}

/** WCAG 2.2, relative luminance and contrast ratio. */
export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((one, other) => one - other) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (value: number) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function pair(light: Rgb, dark: Rgb): string {
  const [one, other] = [light, dark].map((rgb) => `rgb(${rgb.join(" ")})`);
  return one === other && one !== undefined ? one : `light-dark(${one}, ${other})`;
}

function hexes(list: string): Rgb[] {
  return list.split(" ").map((hex) => {
    const value = Number.parseInt(hex, 16);
    return [value >> 16, (value >> 8) & 255, value & 255];
  });
}
