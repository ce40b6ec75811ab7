"use client";
import { useState } from "react";
import { Blocks, LayoutGrid, List, MoreHorizontal, Play, Upload } from "lucide-react";
import { Page } from "@/components/shell/page";
import { useShortcut } from "@/components/shell/use-shortcut";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { ClassChip } from "@/components/ui/class-chip";
import { CodeBlock } from "@/components/ui/code-block";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { DefinitionList } from "@/components/ui/definition-list";
import { Dialog, DialogClose, DialogContent, DialogTrigger } from "@/components/ui/dialog";
import { Digest } from "@/components/ui/digest";
import { Drawer, DrawerContent, DrawerTrigger } from "@/components/ui/drawer";
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuSeparator, DropdownMenuTrigger } from "@/components/ui/dropdown-menu";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { FileTree } from "@/components/ui/file-tree";
import { FilterChip } from "@/components/ui/filter-chip";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { Progress } from "@/components/ui/progress";
import { RelativeTime } from "@/components/ui/relative-time";
import { SearchInput } from "@/components/ui/search-input";
import { Section } from "@/components/ui/section";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Select } from "@/components/ui/select";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { Sparkline } from "@/components/ui/sparkline";
import { StateChip, stateLooks } from "@/components/ui/state-chip";
import { Switch } from "@/components/ui/switch";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { Textarea } from "@/components/ui/textarea";
import { useToast } from "@/components/ui/toast";
import { VirtualList } from "@/components/ui/virtual-list";
import { useUrlState } from "@/components/state/use-url-params";
import { ApiError } from "@/lib/client/api";

const rows = [
  ["csv-summary", "Summarise a CSV file: columns, types, gaps", "safe", "imported", "approved"],
  ["git-release", "Tags a release and writes its notes", "mutating", "catalog", "pending"],
  ["disk-cleaner", "Deletes caches and old logs on the host", "dangerous", "authored", "revoked"],
  ["meeting-notes", "Turns a transcript into decisions and owners", "safe", "authored", "draft"],
] as const;

export function Kit() {
  const { toast } = useToast();
  const [view, setView] = useState<"table" | "cards">("table");
  const [tab, setTab] = useUrlState("tab", "one");
  const [sel, setSel] = useState<string | null>("SKILL.md");
  const [conf, setConf] = useState(false);
  const [on, setOn] = useState(true);
  useShortcut("j", "Next row", () => {});
  useShortcut("k", "Previous row", () => {});
  useShortcut("e", "Switch on or off", () => {});
  return (
    <Page title="My skills" description="Skills you own or may use." actions={<><Button><Upload />Import</Button><Button variant="primary"><Play />Run skill</Button></>}>
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput label="Search skills" />
        <FilterChip label="Class" value="mutating" onRemove={() => {}} />
        <SegmentedControl label="View" value={view} onValueChange={setView} iconsOnly options={[{ value: "table", label: "Table", icon: List }, { value: "cards", label: "Cards", icon: LayoutGrid }]} />
        <SegmentedControl label="Mode" value="b" onValueChange={() => {}} options={[{ value: "a", label: "Diff" }, { value: "b", label: "Rendered" }]} />
      </div>
      <Panel padded={false}>
        <Table label="Skills">
          <TableHead><tr><TableHeader className="w-8"><Checkbox aria-label="Select all" checked="indeterminate" /></TableHeader><TableHeader>On</TableHeader><TableHeader sort="ascending" onSort={() => {}}>Name</TableHeader><TableHeader>Class</TableHeader><TableHeader>Source</TableHeader><TableHeader>State</TableHeader><TableHeader>Runs</TableHeader><TableHeader>Digest</TableHeader><TableHeader align="right">Updated</TableHeader><TableHeader /></tr></TableHead>
          <TableBody>
            {rows.map(([n, d, c, s, st], i) => (
              <TableRow key={n} selected={i === 1} active={i === 2}>
                <TableCell><Checkbox aria-label={`Select ${n}`} defaultChecked={i === 1} /></TableCell>
                <TableCell><Switch aria-label={`${n} on`} defaultChecked={i < 2} /></TableCell>
                <TableCell><span className="font-medium">{n}</span> <span className="text-muted-foreground">{d}</span></TableCell>
                <TableCell><ClassChip value={c} /></TableCell>
                <TableCell muted>{s}</TableCell>
                <TableCell><StateChip state={st} /></TableCell>
                <TableCell><Sparkline label="Last runs" points={[3, 5, 2, 8, 4, 6, 3].map((value, k) => ({ value, tone: k === 3 ? "danger" : "success" }))} /></TableCell>
                <TableCell><Digest value="3f2c9abd83a9c8e07c1f4b2a6d5e99aa001122" /></TableCell>
                <TableCell numeric muted><RelativeTime value={new Date(1763688000000 - i * 9e7).toISOString()} /></TableCell>
                <TableCell>
                  <DropdownMenu><DropdownMenuTrigger asChild><IconButton label={`More for ${n}`} size="sm"><MoreHorizontal /></IconButton></DropdownMenuTrigger>
                    <DropdownMenuContent><DropdownMenuItem shortcut="e">Switch off</DropdownMenuItem><DropdownMenuItem>Export</DropdownMenuItem><DropdownMenuSeparator /><DropdownMenuItem tone="danger">Delete skill</DropdownMenuItem></DropdownMenuContent></DropdownMenu>
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Panel>
      <div className="flex flex-wrap gap-1.5">{Object.keys(stateLooks).map((s) => <StateChip key={s} state={s as never} />)}<Badge tone="accent">bash</Badge></div>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary">Approve version</Button><Button>Ask for changes</Button><Button variant="danger">Reject</Button><Button variant="ghost">Ghost</Button><Button variant="link">Link</Button><Button pending variant="primary">Saving it</Button><Button disabled>Disabled</Button>
        <Button onClick={() => toast({ title: "csv-summary is off.", undo: () => setOn(true) })}>Toast</Button>
        <Button onClick={() => setConf(true)}>Confirm</Button>
        <Dialog><DialogTrigger asChild><Button>Dialog</Button></DialogTrigger><DialogContent title="New token" description="Shown once." footer={<><DialogClose asChild><Button>Cancel</Button></DialogClose><Button variant="primary">Create token</Button></>}><Field label="Name"><Input /></Field></DialogContent></Dialog>
        <Drawer><DrawerTrigger asChild><Button>Drawer</Button></DrawerTrigger><DrawerContent title="Event" description="csv-summary" footer={<Button>Close</Button>}><p>Body</p></DrawerContent></Drawer>
        <ConfirmDialog open={conf} onOpenChange={setConf} title="Delete csv-summary?" description="Its versions stay readable in the audit trail." confirmLabel="Delete skill" tone="danger" onConfirm={() => Promise.reject(new ApiError({ status: 409, code: "conflict", detail: "A run of it is not finished." }))} />
      </div>
      <div className="grid gap-4 md:grid-cols-2">
        <Panel title="Form" description="Arguments">
          <div className="flex flex-col gap-4">
            <Field label="File" help="A path inside the workspace." required><Input placeholder="data.csv" /></Field>
            <Field label="Rows" error="must be at most 1000"><Input type="number" defaultValue={5000} /></Field>
            <Field label="Mode" optional><Select options={[{ value: "a", label: "Fast" }, { value: "b", label: "Complete" }]} /></Field>
            <Field label="Comment"><Textarea placeholder="Why" /></Field>
            <label htmlFor="sw" className="flex items-center gap-2"><Switch id="sw" checked={on} onCheckedChange={setOn} />Dry run</label>
          </div>
        </Panel>
        <Panel title="Files" padded={false}>
          <FileTree label="Files" files={["SKILL.md", "scripts/run.sh", "scripts/lib/parse.py", "skill.json", "assets/icon.png"].map((path) => ({ path }))} selected={sel} onSelect={setSel} aside={(f) => f.path.endsWith("sh") ? <Badge tone="danger">2</Badge> : null} className="p-2" />
        </Panel>
      </div>
      <CodeBlock label="curl" code={"curl -X POST https://skills.example.org/api/skills/csv-summary/runs \\\n  -H 'authorization: Bearer sgt_…' \\\n  -d '{\"args\": {\"file\": \"data.csv\"}}'"} lineNumbers />
      <Tabs value={tab} onValueChange={setTab}><TabsList aria-label="Skill"><TabsTrigger value="one">Overview</TabsTrigger><TabsTrigger value="two">Files</TabsTrigger><TabsTrigger value="three">Versions</TabsTrigger></TabsList><TabsContent value="one"><DefinitionList items={[{ term: "Source", value: "imported" }, { term: "Author", value: "Mara" }]} /></TabsContent><TabsContent value="two">Files</TabsContent></Tabs>
      <Notice tone="warning" title="Not isolated">Runs of this skill can read what its worker can.</Notice>
      <Notice>Neutral words.</Notice><Notice tone="success">Approved.</Notice><Notice tone="danger">Refused.</Notice>
      <Progress value={40} label="Sync" />
      <Section title="Virtual"><VirtualList label="Log" items={Array.from({ length: 2000 }, (_, i) => i)} getKey={(i) => i} className="h-40 rounded-md border">{(i) => <div className="h-8 border-b px-3 leading-8">Row {i}</div>}</VirtualList></Section>
      <Panel padded={false}><SkeletonRows rows={4} /></Panel>
      <Panel padded={false}><EmptyState icon={Blocks} title="No skills yet" description="Skills you import or install stand here. Drop a folder or a zip anywhere on this page." action={<Button variant="primary">Import a skill</Button>} /></Panel>
      <Panel padded={false}><ErrorState error={new ApiError({ status: 500, code: "internal", detail: "x", requestId: "0198f2a1-7c1e" })} title="The skills could not be loaded." onRetry={() => {}} /></Panel>
    </Page>
  );
}
