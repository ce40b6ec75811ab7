import { observeRequest } from "../observe/observe-request";
import { type AnswerEndpoint, endpointAnswerer, type Routes } from "./answer-endpoint";
import { type Addresses, addressTable, type FindAddress } from "./find-address";

type Router = { find: FindAddress; observe: typeof observeRequest; answer: AnswerEndpoint };

declare global {
  var __skillgateRouter: Router | undefined;
}

/** Creates the router. Without `routes` it only names requests, and the framework answers them. */
export function openRouter(addresses: Addresses, routes: Routes | null): Router {
  const answer = routes === null ? () => false : endpointAnswerer(routes);
  return { find: addressTable(addresses), observe: observeRequest, answer };
}
