// Writes what the router is made from, for tools that are started by hand: whatever npm runs has it written already.
import { writeRouteTable } from "./prepare/route-table.mjs";

writeRouteTable();
