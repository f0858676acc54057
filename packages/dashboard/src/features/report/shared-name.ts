import type { SharedList } from "../site/index.ts";
import { hoursTitle } from "./hours-words.ts";
import { wordsOf } from "./list-words.ts";
import { type ListKey, listKeys, lists } from "./lists.ts";

/** The API's name of a list among those that a shared link may show. */
export const sharedNameOf = (key: ListKey): SharedList => key.replaceAll("-", "_") as SharedList;

/** All parts that a shared link may show, in the order of the report. */
export const sharedLists: readonly { readonly name: SharedList; readonly title: string }[] = [
	...listKeys.map((key) => ({ name: sharedNameOf(key), title: wordsOf(lists[key]).title })),
	{ name: "hours", title: hoursTitle },
];
