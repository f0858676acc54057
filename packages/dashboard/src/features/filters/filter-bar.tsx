import { useChangeSearch, useSiteSearch } from "../site/index.ts";

/** The filters that hold, each can be taken away. */
export function FilterBar() {
	const { f } = useSiteSearch();
	const change = useChangeSearch();
	return f.map((filter) => (
		<button key={filter} type="button" onClick={() => change({ f: f.filter((one) => one !== filter) })}>
			{filter}
		</button>
	));
}

/** Adds a filter. */
export function FilterButton() {
	return null;
}
