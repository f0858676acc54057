export { shownValue } from "./list-words.ts";
export { type List, listOfField } from "./lists.ts";
export { useList } from "./use-list.ts";
