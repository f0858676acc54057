export { firstCall } from "./first-call.ts";
export { KeyList } from "./key-list.tsx";
export { MakeKey } from "./make-key.tsx";
