import { type ClassValue, clsx } from "clsx";
import { createTailwindMerge } from "tailwind-merge";

const any = () => true;
/** `{ p: [any] }` for each name: classes such as `p-4`, with any text after the name. */
const prefixes = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, [{ [name]: [any] }]])) as Record<Name, [Record<string, [() => true]>]>;
const sides = ["x", "y", "t", "r", "b", "l"] as const;
const isLength = (value: string) => /^(\d|\[[\d.]+(px|em|rem)\]$)/.test(value);

/**
 * The Tailwind classes of this repository by property, for `cn`: later ones replace earlier ones of the same group. The config
 * of tailwind-merge itself knows all classes and is five times as large; a test compares the two.
 */
const classGroups = {
  ...prefixes(
    "p",
    "px",
    "py",
    "pt",
    "pr",
    "pb",
    "pl",
    "m",
    "mx",
    "my",
    "mt",
    "mr",
    "mb",
    "ml",
    "gap",
    "gap-x",
    "gap-y",
  ),
  ...prefixes(
    "size",
    "w",
    "min-w",
    "max-w",
    "h",
    "min-h",
    "max-h",
    "basis",
    "order",
    "z",
    "opacity",
    "duration",
    "cursor",
  ),
  ...prefixes(
    "inset",
    "inset-x",
    "inset-y",
    "top",
    "right",
    "bottom",
    "left",
    "leading",
    "tracking",
    "line-clamp",
    "align",
  ),
  ...prefixes(
    "grid-cols",
    "grid-rows",
    "accent",
    "bg",
    "fill",
    "stroke",
    "rotate",
    "translate-x",
    "translate-y",
    "select",
  ),
  ...prefixes("space-y", "underline-offset", "scroll-mt", "scroll-mb", "place-items", "appearance", "animate", "self"),
  ...prefixes(
    "justify",
    "items",
    "pointer-events",
    "overflow-x",
    "overflow-y",
    "overscroll",
    "border-spacing",
    "whitespace",
  ),
  ...prefixes("col-span", "row-span", "break-inside", "outline-offset", "field-sizing", "wrap", "break"),
  display: ["block", "inline-block", "inline", "flex", "inline-flex", "table", "grid", "contents", "hidden"],
  sr: ["sr-only", "not-sr-only"],
  position: ["static", "fixed", "absolute", "relative", "sticky"],
  visibility: ["visible", "invisible", "collapse"],
  overflow: [{ overflow: ["auto", "hidden", "clip", "visible", "scroll"] }],
  "flex-direction": [{ flex: ["row", "row-reverse", "col", "col-reverse"] }],
  "flex-wrap": [{ flex: ["wrap", "nowrap"] }],
  flex: [{ flex: [any] }],
  shrink: [{ shrink: ["", any] }],
  "font-size": [{ text: ["13", "20", "xs", "sm", "base", "lg", "xl", isLength] }],
  "text-alignment": [{ text: ["left", "center", "right"] }],
  "text-color": [{ text: [any] }],
  "text-overflow": ["truncate"],
  "text-decoration": ["underline", "line-through", "no-underline"],
  "text-decoration-thickness": [{ decoration: [isLength] }],
  "text-decoration-color": [{ decoration: [any] }],
  "text-transform": ["uppercase", "lowercase", "capitalize", "normal-case"],
  "font-style": ["italic", "not-italic"],
  "font-weight": [{ font: ["normal", "medium", "semibold", "bold"] }],
  "font-family": [{ font: [any] }],
  "fvn-spacing": ["tabular-nums"],
  "list-style-type": [{ list: ["disc", "none", "decimal"] }],
  rounded: [{ rounded: ["", any] }],
  "rounded-t": [{ "rounded-t": ["", any] }],
  "rounded-r": [{ "rounded-r": ["", any] }],
  "rounded-b": [{ "rounded-b": ["", any] }],
  "rounded-l": [{ "rounded-l": ["", any] }],
  "border-style": [{ border: ["solid", "dashed", "dotted", "none"] }],
  "border-collapse": [{ border: ["collapse", "separate"] }],
  "border-w": [{ border: ["", isLength] }],
  "border-color": [{ border: [any] }],
  ...(Object.fromEntries(
    sides.flatMap((side) => [
      [`border-w-${side}`, [{ [`border-${side}`]: ["", isLength] }]],
      [`border-color-${side}`, [{ [`border-${side}`]: [any] }]],
    ]),
  ) as Record<
    `border-${"w" | "color"}-${(typeof sides)[number]}`,
    [Record<string, [string, typeof isLength] | [typeof any]>]
  >),
  "divide-y": [{ "divide-y": ["", isLength] }],
  "divide-color": [{ divide: [any] }],
  "outline-style": [{ outline: ["none", "hidden", "solid"] }],
  "outline-w": [{ outline: ["", isLength] }],
  "outline-color": [{ outline: [any] }],
  shadow: [{ shadow: ["", "none", (value: string) => value.startsWith("[")] }],
  "shadow-color": [{ shadow: [any] }],
  "ring-w": [{ ring: ["", isLength] }],
  "ring-color": [{ ring: [any] }],
  transition: [{ transition: ["", any] }],
  resize: [{ resize: ["", any] }],
};

const borderSides = ["r", "l", "t", "b"] as const;

/** The groups that a class replaces besides its own. */
const replacedGroups = {
  p: ["px", "py", "pt", "pr", "pb", "pl"],
  px: ["pr", "pl"],
  py: ["pt", "pb"],
  m: ["mx", "my", "mt", "mr", "mb", "ml"],
  mx: ["mr", "ml"],
  my: ["mt", "mb"],
  gap: ["gap-x", "gap-y"],
  size: ["w", "h"],
  inset: ["inset-x", "inset-y", "top", "right", "bottom", "left"],
  "inset-x": ["right", "left"],
  "inset-y": ["top", "bottom"],
  overflow: ["overflow-x", "overflow-y"],
  flex: ["basis", "shrink"],
  "font-size": ["leading"],
  "line-clamp": ["display", "overflow"],
  rounded: ["rounded-t", "rounded-r", "rounded-b", "rounded-l"],
  "border-w": ["border-w-x", "border-w-y", ...borderSides.map((side) => `border-w-${side}` as const)],
  "border-w-x": ["border-w-r", "border-w-l"],
  "border-w-y": ["border-w-t", "border-w-b"],
  "border-color": ["border-color-x", "border-color-y", ...borderSides.map((side) => `border-color-${side}` as const)],
  "border-color-x": ["border-color-r", "border-color-l"],
  "border-color-y": ["border-color-t", "border-color-b"],
};

const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups,
  conflictingClassGroups: replacedGroups,
  conflictingClassGroupModifiers: { "font-size": ["leading"] },
  orderSensitiveModifiers: ["*", "**", "after", "before", "file", "marker", "placeholder"],
}));

/** Joins class names; a later Tailwind class replaces an earlier one of the same property. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
