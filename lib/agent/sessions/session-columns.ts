import { z } from "zod";

/** Of the JSON columns of a session: patterns of tools, ids of capabilities. */
export const Patterns = z.array(z.string());
