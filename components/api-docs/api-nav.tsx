import type { ApiGroup } from "./openapi";

type ApiNavProps = { groups: readonly ApiGroup[] };

const basics = [
  { id: "authentication", title: "Authentication" },
  { id: "conventions", title: "Conventions" },
  { id: "errors", title: "Errors" },
];

export function ApiNav({ groups }: ApiNavProps) {
  return (
    <nav aria-label="On this page" className="flex flex-col gap-4 text-13">
      <ul className="flex flex-col">
        {basics.map((entry) => (
          <NavItem key={entry.id} {...entry} />
        ))}
      </ul>
      <ul className="flex flex-col border-t pt-4">
        {groups.map(({ id, title, operations }) => (
          <NavItem key={id} id={id} title={title} count={operations.length} />
        ))}
      </ul>
    </nav>
  );
}

function NavItem({ id, title, count }: { id: string; title: string; count?: number }) {
  return (
    <li>
      <a
        href={`#${id}`}
        className="flex min-h-7 items-center justify-between rounded-md px-2 text-muted-foreground hover:bg-accent hover:text-foreground"
      >
        {title}
        {count === undefined ? null : <span className="text-xs tabular-nums">{count}</span>}
      </a>
    </li>
  );
}
