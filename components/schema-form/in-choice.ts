import { createContext } from "react";

/** True right inside a choice, whose own words have named what comes. */
export const InChoice = createContext(false);
