import { ChevronDown, ChevronUp } from "lucide-react";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import { FencedCode } from "@/components/code/coloured-text";
import { RevealedText } from "@/components/code/hidden-notice";
import { cn } from "@/components/ui/cn";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { deferred } from "@/components/ui/deferred/deferred";
import { formatBytes } from "@/components/ui/format-bytes";
import { IconButton } from "@/components/ui/icon-button";
import { Notice } from "@/components/ui/notice";
import { SearchInput } from "@/components/ui/search-input";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Skeleton } from "@/components/ui/skeleton";
import { DownloadButton } from "./download-button";
import { JsonTable } from "./json-table";
import { JsonTree } from "./json-tree";
import {
  filesOf,
  type ImageData,
  type ImagesOf,
  imagesOf,
  type ResultFile,
  type ResultText,
  textOf,
} from "./result-forms";
import { jsonHitsAtMost, searchJson } from "./search-json";
import { csvOf, type TableData, tableOf } from "./table-of";

const TextView = deferred(async () => (await import("./result-views")).TextView, <Placeholder />);

const FilesView = deferred(async () => (await import("./result-views")).FilesView, <Placeholder />);

export type JsonViewName = "tree" | "raw" | "table" | "image" | "files" | ResultText["kind"];

type JsonViewProps = {
  value: unknown;
  label: string;
  filename: string;
  aside?: ReactNode;
  /** Wraps long values, so that none is hidden beyond the edge. */
  wrap?: boolean;
  /** Adds search, and shows pictures, files, diffs, Markdown, texts and tables as such. */
  rich?: boolean;
  /** The selected view when controlled, with `onViewChange`. */
  view?: JsonViewName | null;
  onViewChange?: (view: JsonViewName) => void;
};

const rawShownAtMost = 200_000;
/** A longer text stays plain: its colours would be tens of thousands of elements. */
const colouredAtMost = 20_000;

const searchedFrom = 400;

const names: Record<JsonViewName, string> = {
  ...{ tree: "Tree", raw: "Raw", table: "Table", image: "Image" },
  ...{ files: "Files", markdown: "Markdown", diff: "Diff", text: "Text" },
};

/** A JSON value as tree or raw text; with `rich` first as what it is: a picture, files, a diff, Markdown, text or a table. */
export function JsonView({
  value,
  label,
  filename,
  aside,
  wrap = false,
  rich = false,
  view: given,
  onViewChange,
}: JsonViewProps) {
  const [own, setOwn] = useState<JsonViewName | null>(null);
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? "null", [value]);
  const table = useMemo(() => (rich ? tableOf(value) : null), [rich, value]);
  const found = useMemo(() => (rich ? imagesOf(value) : null), [rich, value]);
  const files = useMemo(() => (rich ? filesOf(value) : []), [rich, value]);
  const prose = useMemo(() => (rich ? textOf(value) : null), [rich, value]);
  const search = useJsonSearch(value);
  const views = viewsOf({ table, found, files, prose });
  const asked = given === undefined ? own : given;
  const first = views[0] === "table" && !isMostlyRows(table, value) ? "tree" : (views[0] ?? "tree");
  const view = asked !== null && views.includes(asked) ? asked : first;
  return (
    <section aria-label={label} className="overflow-hidden rounded-md border">
      <header className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b py-1 pr-1.5 pl-4">
        <h3>{label}</h3>
        {aside}
        {view === "table" && table ? <TableSummary table={table} /> : null}
        <span className="ml-auto flex flex-wrap items-center justify-end gap-1">
          {rich && view === "tree" && text.length > searchedFrom ? (
            <JsonSearchBar search={search} label={label} />
          ) : null}
          <SegmentedControl
            label={`${label} as`}
            value={view}
            onValueChange={onViewChange ?? setOwn}
            options={views.map((name) => ({ value: name, label: names[name] }))}
            className="h-7"
          />
          <CopyButton value={text} label={`Copy ${label.toLowerCase()}`} />
          {view === "table" && table ? (
            <DownloadButton
              label="Download as CSV"
              filename={filename.replace(/(\.json)?$/, ".csv")}
              text={() => csvOf(table)}
            />
          ) : (
            <DownloadButton label={`Download ${label.toLowerCase()}`} filename={filename} text={text} />
          )}
        </span>
      </header>
      {view === "table" && table ? <JsonTable table={table} label={label} /> : null}
      {view === "image" && found ? <JsonImages found={found} label={label} /> : null}
      {view === "files" ? <FilesView files={files} label={label} /> : null}
      {prose !== null && view === prose.kind ? <TextView result={prose} label={label} /> : null}
      {view === "tree" ? (
        <JsonTree
          key={text.length}
          value={value}
          label={label}
          wrap={wrap}
          marked={search.hits}
          target={search.query === "" ? null : (search.hits[search.current] ?? null)}
          className="max-h-[32rem] overflow-y-auto"
        />
      ) : null}
      {view === "raw" ? <RawText text={text} label={label} wrap={wrap} /> : null}
    </section>
  );
}

type Forms = {
  table: TableData | null;
  found: ImagesOf | null;
  files: readonly ResultFile[];
  prose: ResultText | null;
};

/** The views of a value, the one that says most first. */
function viewsOf({ table, found, files, prose }: Forms): JsonViewName[] {
  const hasPicture = found !== null && (found.images.length > 0 || found.svg !== null);
  return [
    ...(hasPicture ? (["image"] as const) : []),
    ...(files.length > 0 ? (["files"] as const) : []),
    ...(prose ? [prose.kind] : []),
    ...(table ? (["table"] as const) : []),
    "tree",
    "raw",
  ];
}

const besideRowsAtMost = 4;
const columnsAtMost = 12;
const rowsTried = 50;

/** Whether a table shows nearly all of a value: rows of few plain columns, with at most a few facts beside them. */
function isMostlyRows(table: TableData | null, value: unknown): boolean {
  if (table === null || table.columns.length > columnsAtMost) return false;
  const isNested = (cell: unknown) => typeof cell === "object" && cell !== null;
  if (table.rows.slice(0, rowsTried).some((row) => Object.values(row).some(isNested))) return false;
  return table.property === null || Object.keys(value as object).length - 1 <= besideRowsAtMost;
}

function Placeholder() {
  return <Skeleton className="m-4 h-32" />;
}

function TableSummary({ table: { property, rows } }: { table: TableData }) {
  return (
    <span className="truncate text-muted-foreground text-xs">
      {rows.length.toLocaleString("en")} {rows.length === 1 ? "row" : "rows"}
      {property === null ? null : (
        <>
          {" "}
          of <RevealedText text={property} className="font-mono" />
        </>
      )}
    </span>
  );
}

function RawText({ text, label, wrap }: { text: string; label: string; wrap: boolean }) {
  const shown = text.length > rawShownAtMost ? `${text.slice(0, rawShownAtMost)}\n…` : text;
  return (
    <>
      <section
        aria-label={`${label}, raw`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-[32rem] overflow-auto focus-visible:-outline-offset-2"
      >
        <pre
          className={cn(
            "min-w-full px-4 py-2 font-mono text-xs leading-5",
            wrap ? "whitespace-pre-wrap wrap-anywhere" : "w-max",
          )}
        >
          {shown.length > colouredAtMost ? <RevealedText text={shown} /> : <FencedCode language="json" text={shown} />}
        </pre>
      </section>
      {shown === text ? null : (
        <p className="border-t px-4 py-1.5 text-muted-foreground text-xs">
          Showing {rawShownAtMost.toLocaleString("en")} of {text.length.toLocaleString("en")} characters. Copy or
          download for the full text.
        </p>
      )}
    </>
  );
}

function JsonSearchBar({ search, label }: { search: JsonSearch; label: string }) {
  const { query, setQuery, hits, current, go } = search;
  const count = hits.length;
  const most = count >= jsonHitsAtMost ? "+" : "";
  return (
    <div className="flex min-w-0 items-center gap-1">
      <SearchInput
        isPageSearch={false}
        label={`Search the ${label.toLowerCase()}`}
        placeholder="Search"
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && query !== "") setQuery("");
          else if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
          else return;
          event.preventDefault();
        }}
        className="w-36 md:w-44"
      />
      {query === "" ? null : (
        <>
          <span role="status" className="whitespace-nowrap px-1 text-muted-foreground text-xs tabular-nums">
            {count === 0
              ? "No matches"
              : `${(current + 1).toLocaleString("en")} of ${count.toLocaleString("en")}${most}`}
          </span>
          <IconButton label="Previous match" size="sm" disabled={count === 0} onClick={() => go(-1)}>
            <ChevronUp aria-hidden />
          </IconButton>
          <IconButton label="Next match" size="sm" disabled={count === 0} onClick={() => go(1)}>
            <ChevronDown aria-hidden />
          </IconButton>
        </>
      )}
    </div>
  );
}

/** Images returned by a run. The content security policy allows `data:` for images, which cannot run code. */
function JsonImages({ found: { images, svg }, label }: { found: ImagesOf; label: string }) {
  return (
    <div className="flex flex-col gap-4 p-4">
      {images.map((image, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: images have no id
        <Picture key={index} image={image} alt={images.length > 1 ? `${label}, ${index + 1}` : label} />
      ))}
      {svg === null ? null : (
        <>
          <Notice>SVG files can contain scripts, so only the source is shown.</Notice>
          <CodeBlock code={svg} label="SVG source" wrap className="max-h-96" />
        </>
      )}
    </div>
  );
}

function Picture({ image: { mediaType, base64 }, alt }: { image: ImageData; alt: string }) {
  const [size, setSize] = useState<string | null>(null);
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <Notice tone="warning">The image could not be displayed. Switch to Raw to see the data.</Notice>;
  return (
    <figure className="flex flex-col gap-1.5">
      {/* biome-ignore lint/performance/noImgElement: the bytes are inline, so there is nothing to optimise */}
      <img
        src={`data:${mediaType};base64,${base64}`}
        alt={alt}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize(`${naturalWidth} × ${naturalHeight}`)}
        onError={() => setBroken(true)}
        className="max-h-[32rem] w-fit max-w-full rounded-md border bg-muted object-contain"
      />
      <figcaption className="text-muted-foreground text-xs tabular-nums">
        {[mediaType, size, formatBytes(Math.floor((base64.length * 3) / 4))].filter(Boolean).join(" · ")}
      </figcaption>
    </figure>
  );
}

type JsonSearch = ReturnType<typeof useJsonSearch>;

function useJsonSearch(value: unknown) {
  const [query, setText] = useState("");
  const [step, setStep] = useState(0);
  const wanted = useDeferredValue(query);
  const hits = useMemo(() => searchJson(value, wanted), [value, wanted]);
  const current = Math.min(step, Math.max(0, hits.length - 1));
  return {
    query,
    setQuery: (next: string) => {
      setText(next);
      setStep(0);
    },
    hits,
    current,
    go: (steps: 1 | -1) => hits.length > 0 && setStep((current + steps + hits.length) % hits.length),
  };
}
