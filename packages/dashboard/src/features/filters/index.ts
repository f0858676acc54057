export { FilterBar, FilterButton } from "./filter-bar.tsx";
export { FilterList } from "./filter-list.tsx";
