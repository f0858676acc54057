export { WhyChips } from "./why-chips.tsx";
