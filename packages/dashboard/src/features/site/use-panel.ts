import { useChangeSearch, useSiteSearch } from "./search.ts";

/** The panel in the address: `panel=rule:12` has the kind `rule` and the id `12`. */
export function usePanel() {
	const { panel = "" } = useSiteSearch();
	const change = useChangeSearch();
	const at = panel.indexOf(":");
	return {
		kind: at < 0 ? panel : panel.slice(0, at),
		id: at < 0 ? "" : panel.slice(at + 1),
		open: (kind: string, id?: number | string) => change({ panel: id === undefined ? kind : `${kind}:${id}` }),
		close: () => change({ panel: undefined }),
	};
}
