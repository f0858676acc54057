import { Pager } from "../../ui/pager/pager.tsx";
import styles from "./page-foot.module.css";
import { useChangeSearch } from "./search.ts";

/** Below a list whose page stands in the address: which rows are there, and the way to the others. */
export function PageFoot(props: { readonly page: number; readonly pageSize: number; readonly total: number }) {
	const change = useChangeSearch();
	return (
		<footer className={styles.foot}>
			<Pager {...props} onPage={(next) => change({ page: next === 1 ? undefined : String(next) })} />
		</footer>
	);
}
