import { useChangeSearch, useSiteSearch } from "./search.ts";

/** What the address opens above a screen: `panel=rule:12` is of the kind `rule` and about `12`. */
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
