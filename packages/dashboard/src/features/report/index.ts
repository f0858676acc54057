export { readList } from "./list-answer.ts";
export { shownValue, wordsOf } from "./list-words.ts";
export { type List, type ListKey, listKeys, listOfField, lists } from "./lists.ts";
export { ReportScreen } from "./report-screen.tsx";
export { sharedLists } from "./shared-name.ts";
export { listQuery, useList } from "./use-list.ts";
