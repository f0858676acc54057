export { FilterBar, FilterButton } from "./filter-bar.tsx";
