import type { SharedList } from "../site/index.ts";
import type { ListKey } from "./lists.ts";

/** The API's name of a list among those that a shared link may show. */
export const sharedNameOf = (key: ListKey): SharedList => key.replaceAll("-", "_") as SharedList;
