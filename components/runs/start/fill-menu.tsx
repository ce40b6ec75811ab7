import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useMemo } from "react";
import { isObject } from "@/components/json/diff-json";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { newestRunsQuery } from "@/lib/client/runs";

type FillMenuProps = {
  skillId: string;
  schema: Record<string, unknown>;
  /** `what` names the source in the toast; null when the form was cleared. */
  onFill: (args: Record<string, unknown>, what: string | null) => void;
};

export function FillMenu({ skillId, schema, onFill }: FillMenuProps) {
  const samples = useMemo(() => samplesOf(schema), [schema]);
  const me = useMe();
  const { data } = useQuery(newestRunsQuery({ skill: skillId }, 30));
  const last = data?.items.find((run) => run.caller.id === me?.user.id) ?? data?.items[0];
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button size="sm" variant="ghost">
          Fill in <ChevronDown aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {samples.map(({ label, args }) => (
          <DropdownMenuItem key={label} onSelect={() => onFill(args, label)}>
            {label}
          </DropdownMenuItem>
        ))}
        <DropdownMenuItem disabled={!last} onSelect={() => last && onFill(last.args, "Last arguments")}>
          Last arguments
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => onFill({}, null)}>Clear form</DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

type Sample = { label: string; args: Record<string, unknown> };

type Schema = Record<string, unknown>;

/** The defaults of a schema, and its examples as a whole or per property. */
export function samplesOf(schema: Schema): Sample[] {
  const whole = asList(schema.examples).filter(isObject);
  const parts = whole.length > 0 ? [] : [exampleOf(schema)].filter(isObject);
  const examples = [...whole, ...parts].filter((args) => Object.keys(args).length > 0);
  const defaults = defaultOf(schema);
  return [
    ...(isObject(defaults) && Object.keys(defaults).length > 0 ? [{ label: "Defaults", args: defaults }] : []),
    ...examples.map((args, index) => ({ label: examples.length > 1 ? `Example ${index + 1}` : "Example", args })),
  ];
}

/** The default of a schema, or of its properties; undefined when there is none. */
function defaultOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  return fromProperties(schema, defaultOf);
}

function exampleOf(schema: Schema): unknown {
  const [first] = asList(schema.examples);
  if (first !== undefined) return first;
  if (schema.const !== undefined) return schema.const;
  return schema.default ?? fromProperties(schema, exampleOf);
}

function fromProperties(schema: Schema, read: (property: Schema) => unknown): unknown {
  if (!isObject(schema.properties)) return undefined;
  const found = Object.entries(schema.properties).flatMap(([key, property]): [string, unknown][] => {
    const value = isObject(property) ? read(property) : undefined;
    return value === undefined ? [] : [[key, value]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
