// Writes the route table for tools that are started by hand; npm scripts do it themselves.
import { writeRouteTable } from "./prepare/route-table.mjs";

writeRouteTable();
