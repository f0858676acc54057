export { FirstSnippet } from "./snippet-card.tsx";
