import { isDeepStrictEqual } from "node:util";
